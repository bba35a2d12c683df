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
package dev.terrace.bench.versions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VersionTableTest {

  @TempDir Path folder;

  private Path document(String rows) throws IOException {
    return Files.writeString(
        folder.resolve("versions.md"),
        "before\n"
            + VersionTable.BEGIN
            + "\n\n| HBase | Hadoop | Java | demo | on |\n| --- | --- | --- | --- | --- |\n"
            + rows
            + "\n"
            + VersionTable.END
            + "\nbehind\n");
  }

  private static Combination combination(String hbase, String hadoop, int java) {
    return new Combination(hbase, hadoop, Path.of("jdk"), java);
  }

  @Test
  void aRowComesToItsPlaceAndTheRestStays() throws IOException {
    Path document = document("| 2.6.4 | its own | 17 | old | then |\n");
    VersionTable table = new VersionTable(document);

    table.put(combination("2.6.4", "3.4.3", 25), List.of("c"), "now");
    table.put(combination("2.6.4", "", 21), List.of("b"), "now");
    table.put(combination("2.6.4", "", 17), List.of("a"), "now");

    assertThat(Files.readString(document))
        .startsWith("before\n" + VersionTable.BEGIN + "\n\n| HBase |")
        .contains(
            "| --- |\n| 2.6.4 | 3.4.3 | 25 | c | now |\n| 2.6.4 | its own | 17 | a | now |\n"
                + "| 2.6.4 | its own | 21 | b | now |\n\n"
                + VersionTable.END)
        .doesNotContain("old")
        .endsWith("\nbehind\n");
  }

  @Test
  void namesADocumentWithoutMarks() throws IOException {
    Path document = Files.writeString(folder.resolve("other.md"), "text\n");
    Combination any = combination("2.6.4", "", 17);
    assertThatThrownBy(() -> new VersionTable(document).put(any, List.of(), "now"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other.md");
  }

  @Test
  void newJavaGetsNewHadoop() throws IOException {
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
    assertThat(Combination.of(folder))
        .extracting(Combination::toString)
        .contains("HBase 2.6.4 on Java 25", "HBase 2.6.4-hadoop3 with Hadoop 3.4.3 on Java 25");
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");
    assertThat(Combination.of(folder)).allMatch(each -> each.hadoop().isEmpty()).hasSize(4);
  }
}
