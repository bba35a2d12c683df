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

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SiteXmlTest {

  @TempDir Path folder;

  @Test
  void hadoopReadsWhatIsWritten() throws Exception {
    Path file = folder.resolve("hbase-site.xml");
    SiteXml.of(Map.of("a.key", "a value", "b.key", "1 < 2 & 3 > 2")).write(file);

    Configuration read = new Configuration(false);
    read.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    assertThat(read.get("a.key")).isEqualTo("a value");
    assertThat(read.get("b.key")).isEqualTo("1 < 2 & 3 > 2");
  }

  @Test
  void laterSettingsWinAndOthersStayInPlace() {
    Map<String, String> first = new LinkedHashMap<>();
    first.put("one", "1");
    first.put("two", "2");
    SiteXml site = SiteXml.of(first).with(Map.of("one", "changed"));
    assertThat(site.text()).contains("<value>changed</value>").doesNotContain("<value>1</value>");
    assertThat(site.text().indexOf("one")).isLessThan(site.text().indexOf("two"));
    assertThat(first).containsEntry("one", "1");
  }
}
