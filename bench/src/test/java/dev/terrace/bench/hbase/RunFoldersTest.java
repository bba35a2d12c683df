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
package dev.terrace.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunFoldersTest {

  @TempDir Path parent;

  @Test
  void aFolderInEachDirectoryComesAndGoes() throws Exception {
    Path one = Files.createDirectory(parent.resolve("one"));
    Path two = Files.createDirectory(parent.resolve("two"));
    RunFolders folders = RunFolders.create("run-", one, List.of(one), List.of(one, two));

    assertThat(folders.work()).hasParent(one);
    assertThat(folders.pmem()).singleElement().satisfies(p -> assertThat(p).hasParent(one));
    assertThat(folders.ssd()).extracting(Path::getParent).containsExactly(one, two);

    folders.deleteAll();
    folders.deleteAll();
    assertThat(one).isEmptyDirectory();
    assertThat(two).isEmptyDirectory();
  }

  @Test
  void dataGoesFirstAndLogsStay() throws Exception {
    RunFolders folders = RunFolders.create("run-", parent, List.of(parent), List.of());
    Files.createDirectories(folders.loadedData().resolve("a/b"));
    Files.createDirectories(folders.data("server").resolve("a/b"));
    Path log = Files.writeString(folders.server("server").resolve("server.log"), "x");

    folders.deleteData();

    assertThat(folders.loadedData()).doesNotExist();
    assertThat(folders.data("server")).doesNotExist();
    assertThat(folders.pmem().get(0)).doesNotExist();
    assertThat(log).exists();
  }

  @Test
  void linksAreDeletedAndNotFollowed() throws Exception {
    Path outside = Files.writeString(parent.resolve("outside.jar"), "x");
    RunFolders folders = RunFolders.create("run-", parent, List.of(), List.of());
    Files.createSymbolicLink(folders.work().resolve("link.jar"), outside);

    folders.deleteAll();

    assertThat(outside).exists();
    assertThat(folders.work()).doesNotExist();
  }

  @Test
  void namesTheDirectoryThatCannotBeUsedAndLeavesNothing() {
    assertThatThrownBy(
            () -> RunFolders.create("run-", parent, List.of(parent.resolve("absent")), List.of()))
        .isInstanceOf(RunFailure.class)
        .hasMessageContaining("cannot create a folder in " + parent.resolve("absent"))
        .hasMessageNotContaining("\n");
    assertThat(parent).isEmptyDirectory();
  }
}
