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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataCopyTest {

  private static final String HFILE = "0123456789abcdef0123456789abcdef";

  @TempDir Path folder;

  @Test
  void linksHFilesAndCopiesTheRest() throws IOException {
    Path from = folder.resolve("from");
    Path family = Files.createDirectories(from.resolve("hbase/data/t/r/f"));
    Files.writeString(family.resolve(HFILE), "blocks");
    Files.writeString(family.resolve("." + HFILE + ".crc"), "sums");
    Files.writeString(from.resolve("hbase/.regioninfo"), "region");
    Files.createDirectories(from.resolve("empty"));
    Path to = folder.resolve("to");

    DataCopy.make(from, to);

    assertThat(to.resolve("hbase/data/t/r/f").resolve(HFILE)).hasContent("blocks");
    assertThat(to.resolve("hbase/data/t/r/f/." + HFILE + ".crc")).hasContent("sums");
    assertThat(to.resolve("empty")).isEmptyDirectory();
    assertThat(FileTree.bytes(to)).isEqualTo(FileTree.bytes(from));
    Files.writeString(to.resolve("hbase/.regioninfo"), "changed");
    assertThat(from.resolve("hbase/.regioninfo")).hasContent("region");
    FileTree.delete(to);
    assertThat(family.resolve(HFILE)).hasContent("blocks");
    assertThat(to).doesNotExist();
  }
}
