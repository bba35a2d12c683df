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
package dev.terrace.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkDirectoryTest {

  @TempDir Path parent;

  @Test
  void saysSoWhenThereIsNotEnoughSpace() {
    assertThatThrownBy(() -> WorkDirectory.create(parent, Long.MAX_VALUE / 8))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContaining("not enough space in " + parent)
        .hasMessageContaining("--dir");
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void saysSoWhenTheFolderCannotBeMade() throws Exception {
    Path file = Files.createFile(parent.resolve("file"));
    assertThatThrownBy(() -> WorkDirectory.create(file.resolve("below"), 0))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContaining("--dir");
  }

  @Test
  void dataGoesFirstAndLogsStay() throws Exception {
    WorkDirectory directory = WorkDirectory.create(parent, 0);
    Path file = Files.createDirectories(directory.data().resolve("a/b")).resolve("c");
    Files.writeString(file, "x");
    Path log = Files.writeString(directory.path().resolve("server.log"), "x");

    directory.deleteData();
    assertThat(directory.data()).doesNotExist();
    assertThat(log).exists();

    directory.delete();
    directory.delete();
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void linksAreDeletedAndNotFollowed() throws Exception {
    Path outside = Files.writeString(parent.resolve("outside.jar"), "x");
    WorkDirectory directory = WorkDirectory.create(parent, 0);
    Files.createSymbolicLink(directory.path().resolve("link.jar"), outside);
    directory.delete();
    assertThat(outside).exists();
    assertThat(directory.path()).doesNotExist();
  }
}
