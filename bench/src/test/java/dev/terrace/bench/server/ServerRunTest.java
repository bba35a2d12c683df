/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs without servers: what is left behind, and what is said. */
final class ServerRunTest {

  @TempDir Path parent;

  private RunFolders folders;
  private Path log;

  @BeforeEach
  void createFolders() throws Exception {
    folders = RunFolders.create("run-", parent, List.of(), List.of());
    Files.createDirectories(folders.data("server"));
    log = Files.writeString(folders.server("server").resolve("server.log"), "x");
  }

  private <R> R run(boolean keep, ServerRun.Body<R> body) throws RunFailure {
    HBaseInstall none = new HBaseInstall(List.of(), parent, parent);
    return new ServerRun("test", none, folders, keep, line -> {}).run(body);
  }

  @Test
  void nothingIsLeftOfARunThatSucceeds() throws Exception {
    assertThat(run(false, () -> "done")).isEqualTo("done");

    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void allIsKeptWhenThatIsWanted() throws Exception {
    assertThat(run(true, () -> "done")).isEqualTo("done");

    assertThat(folders.data("server")).isDirectory();
  }

  @Test
  void logsStayOfARunThatFails() {
    assertThatThrownBy(
            () ->
                run(
                    false,
                    () -> {
                      throw new IOException("lost\nand more");
                    }))
        .isInstanceOf(RunFailure.class)
        .hasMessage("lost");

    assertThat(folders.data("server")).doesNotExist();
    assertThat(log).exists();
  }

  @Test
  void whatWasWrongIsSaidAsItIs() {
    RunFailure wrong = new RunFailure("2 rows were wrong");

    assertThatThrownBy(
            () ->
                run(
                    false,
                    () -> {
                      throw wrong;
                    }))
        .isSameAs(wrong);
  }
}
