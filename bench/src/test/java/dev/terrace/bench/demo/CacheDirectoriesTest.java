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

import dev.terrace.bench.ByteSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CacheDirectoriesTest {

  @TempDir Path parent;

  private static CachePlace place(Path directory, long bytes) {
    return new CachePlace(directory, new ByteSize(bytes));
  }

  private static DemoOptions options(List<CachePlace> pmem, List<CachePlace> ssd) {
    return new DemoOptions(
        1_000,
        1,
        1,
        1_000,
        new ByteSize(0),
        pmem,
        ssd,
        ByteSize.ofMebibytes(512),
        Duration.ofSeconds(1),
        1,
        0.99,
        null,
        false,
        Restart.CLEAN,
        true);
  }

  @Test
  void aFolderInEachDirectoryComesAndGoes() throws Exception {
    Path one = Files.createDirectory(parent.resolve("one"));
    Path two = Files.createDirectory(parent.resolve("two"));
    DemoOptions options =
        options(List.of(place(one, 32 << 20)), List.of(place(one, 16 << 20), place(two, 16 << 20)));
    CacheDirectories directories = CacheDirectories.create(options);

    assertThat(directories.pmem()).singleElement().satisfies(p -> assertThat(p).hasParent(one));
    assertThat(directories.ssd()).extracting(Path::getParent).containsExactly(one, two);
    assertThat(CacheSetup.terrace(options, directories).settings())
        .containsEntry("hbase.terrace.dram.size", "0")
        .containsEntry("hbase.terrace.pmem.paths", directories.pmem().get(0).toString())
        .containsEntry(
            "hbase.terrace.ssd.paths", directories.ssd().get(0) + "," + directories.ssd().get(1))
        .containsEntry("hbase.terrace.ssd.size", Integer.toString(32 << 20));
    assertThat(options.compare()).isFalse();

    directories.delete();
    assertThat(one).isEmptyDirectory();
    assertThat(two).isEmptyDirectory();
  }

  @Test
  void aDirectoryThatIsNotThereIsSaid() {
    DemoOptions options = options(List.of(place(parent.resolve("absent"), 32 << 20)), List.of());

    assertThatThrownBy(() -> CacheDirectories.create(options))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContaining(parent.resolve("absent") + " is not a directory")
        .hasMessageNotContaining("\n");
  }

  @Test
  void spaceThatIsNotThereIsSaidBeforeAnythingIsMade() throws Exception {
    long halfBytes = Files.getFileStore(parent).getUsableSpace() / 2 + (64 << 20);
    DemoOptions options =
        options(List.of(place(parent, halfBytes)), List.of(place(parent, halfBytes)));

    assertThatThrownBy(() -> CacheDirectories.create(options))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContaining("not enough space in " + parent);
    assertThat(parent).isEmptyDirectory();
  }
}
