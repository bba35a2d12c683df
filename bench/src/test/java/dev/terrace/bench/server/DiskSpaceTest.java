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

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.cli.ByteSize;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskSpaceTest {

  @TempDir Path parent;

  private final DiskSpace space = new DiskSpace();

  @Test
  void needsOnOneDiskAddUp() throws Exception {
    ByteSize half = new ByteSize(Files.getFileStore(parent).getUsableSpace() / 2 + (64L << 20));

    space.require(parent, half, "name another one");

    assertThatThrownBy(() -> space.require(parent, half, "name another one"))
        .isInstanceOf(RunFailure.class)
        .hasMessageContaining("not enough space in " + parent)
        .hasMessageEndingWith("needed; free some, name another one")
        .hasMessageNotContaining("\n");
  }

  @Test
  void saysWhatToDoWhereTheDirectoryCannotBeMade() throws Exception {
    Path below = Files.createFile(parent.resolve("file")).resolve("below");

    assertThatThrownBy(() -> space.require(below, new ByteSize(1), "use --dir DIRECTORY"))
        .isInstanceOf(RunFailure.class)
        .hasMessageContaining("--dir");
  }
}
