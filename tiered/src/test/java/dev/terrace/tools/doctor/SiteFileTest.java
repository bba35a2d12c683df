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
package dev.terrace.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of Hadoop, read as Hadoop reads them. */
class SiteFileTest {

  private static final String PROPERTIES =
      """
      <?xml version="1.0"?>
      <?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
      <!-- a comment -->
      <configuration>
        <property><name>plain</name><value>8g</value><description>d</description></property>
        <property><name> blank </name><value> 1,
            2 </value></property>
        <property><name>empty</name><value></value></property>
        <property><name>absent</name></property>
        <property><name>twice</name><value>1</value></property>
        <property><name>twice</name><value>2</value></property>
        <property><name>kept</name><value>1</value></property>
        <property><name>kept</name><value></value></property>
        <group><property><name>grouped</name><value>g</value></property></group>
        <property><name>last</name><value>1</value><final>true</final></property>
        <property><name>last</name><value>2</value></property>
        <property name="attribute" value="a"/>
        <property><name>nested</name><value>${plain}/${deeper}</value></property>
        <property><name>deeper</name><value>x${twice}</value></property>
        <property><name>unknown</name><value>${nobody.knows.it}/a</value></property>
        <property><name>unknown.first</name><value>${nobody.knows.it}-${plain}</value></property>
        <property><name>system</name><value>${user.dir}</value></property>
        <property><name>env</name><value>${env.TERRACE_NO_SUCH:-otherwise}</value></property>
        <property><name>env.path</name><value>${env.PATH}</value></property>
        <property><name>escaped</name><value>a &lt; &amp; <![CDATA[<b>]]></value></property>
      </configuration>
      """;

  @TempDir Path folder;

  private SiteFile read(String... contents) throws IOException, UnreadableConfException {
    SiteFile site = new SiteFile();
    for (String each : contents) {
      site.read(Files.writeString(folder.resolve("site.xml"), each));
    }
    return site;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "blank",
        "empty",
        "absent",
        "twice",
        "kept",
        "grouped",
        "last",
        "attribute",
        "nested",
        "deeper",
        "unknown",
        "unknown.first",
        "system",
        "escaped",
        "not.there"
      })
  void eachValueIsTheOneThatHadoopReads(String key) throws Exception {
    SiteFile site = read(PROPERTIES);
    Configuration hadoop = new Configuration(false);
    hadoop.addResource(folder.resolve("site.xml").toUri().toURL());
    String expected = hadoop.getTrimmed(key);

    assertThat(site.get(key).orElse("")).isEqualTo(expected == null ? "" : expected);
  }

  /** Hadoop 3 has these; the one of this test does not. */
  @Test
  void theEnvironmentHasVariablesToo() throws Exception {
    SiteFile site = read(PROPERTIES);

    assertThat(site.get("env")).contains("otherwise");
    assertThat(site.get("env.path")).contains(System.getenv("PATH"));
  }

  @Test
  void aLaterFileReplacesWhatIsNotFinal() throws Exception {
    SiteFile site =
        read(
            PROPERTIES,
            "<configuration><property><name>plain</name><value>9g</value></property>"
                + "<property><name>last</name><value>3</value></property></configuration>");

    assertThat(site.get("plain")).contains("9g");
    assertThat(site.get("last")).contains("1");
    assertThat(site.withPrefix("las")).containsOnlyKeys("last");
  }

  @Test
  void aVariableThatRefersToItselfEnds() throws Exception {
    SiteFile site =
        read(
            "<configuration><property><name>a</name><value>${b}</value></property>"
                + "<property><name>b</name><value>${a}</value></property></configuration>");

    assertThat(site.get("a")).isPresent();
  }

  @Test
  void otherFilesAreNotRead() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    String entity = "<!DOCTYPE configuration [<!ENTITY e SYSTEM \"" + secret.toUri() + "\">]>";
    String property = "<property><name>p</name><value>a&e;</value></property>";

    SiteFile site =
        read(
            entity
                + "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
                + property
                + "<xi:include href=\"other.xml\"/></configuration>");

    assertThat(site.get("p").orElse("")).doesNotContain("secret");
    assertThat(site.includes()).containsExactly("other.xml");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<configuration>", "<a/>", "no xml", "<configuration></property>"})
  void whatIsNotHadoopsIsAnErrorThatNamesTheFile(String contents) {
    assertThatThrownBy(() -> read(contents))
        .isInstanceOf(UnreadableConfException.class)
        .hasMessageStartingWith(folder.resolve("site.xml").toString());
  }

  @Test
  void entitiesThatGrowAreRefused() {
    StringBuilder bomb = new StringBuilder("<!DOCTYPE configuration [<!ENTITY a0 \"ha\">");
    for (int i = 1; i < 30; i++) {
      bomb.append("<!ENTITY a%d \"&a%d;&a%d;\">".formatted(i, i - 1, i - 1));
    }
    bomb.append("]><configuration>&a29;</configuration>");

    assertThatThrownBy(() -> read(bomb.toString())).isInstanceOf(UnreadableConfException.class);
  }

  @Test
  void elementsThatAreTooDeepAreRefused() {
    String deep = "<configuration>".repeat(20_000) + "</configuration>".repeat(20_000);

    assertThatThrownBy(() -> read(deep)).isInstanceOf(UnreadableConfException.class);
  }
}
