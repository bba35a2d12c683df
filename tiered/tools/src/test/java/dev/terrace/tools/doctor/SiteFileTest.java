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
import java.util.Map;
import java.util.Optional;
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
        <property><name>second</name><value>1</value><value></value></property>
        <property><name>outer</name><value>1</value>
          <property><name>inner</name><value>2</value></property></property>
        <property name="priority" value="1"><value>2</value></property>
        <property><name>escaped</name><value>a &lt; &amp; <![CDATA[<b>]]></value></property>
      </configuration>
      """;

  @TempDir Path folder;

  private SiteFile read(String... contents) throws IOException, UnreadableConfException {
    return read(Optional.empty(), contents);
  }

  private SiteFile read(Optional<Map<String, String>> environment, String... contents)
      throws IOException, UnreadableConfException {
    SiteFile site = new SiteFile(Map.of(), environment);
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
        "env",
        "env.path",
        "second",
        "inner",
        "outer",
        "priority",
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
    SiteFile site = read(Optional.of(Map.of("PATH", "/bin")), PROPERTIES);

    assertThat(site.get("env")).contains("otherwise");
    assertThat(site.get("env.path")).contains("/bin");
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

  /** Whatever is odd in a file, Hadoop reads the same, or fails, too. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<configuration>@8g@</configuration>",
        "<config>@8g@</config>",
        "<configuration>@\n 8g \n@</configuration>",
        "<configuration>@8<!-- x -->g@</configuration>",
        "<configuration>@<![CDATA[8g]]>@</configuration>",
        "<configuration>@&#56;g@</configuration>",
        "<configuration>@8g@@9g@</configuration>",
        "<configuration>@8g@@@</configuration>",
        "<configuration>@8g@<property><name>key</name></property></configuration>",
        "<configuration><property name='key' value='8g' final='true'/>@9g@</configuration>",
        "<configuration><property><final>true</final><name>key</name><value>8g</value></property>"
            + "@9g@</configuration>",
        "<configuration><property><name>key</name><value>8g</value><final>TRUE</final></property>"
            + "@9g@</configuration>",
        "<configuration><property><name>key</name><final>true</final></property>@9g@"
            + "</configuration>",
        "<configuration><property><name>key</name><value>8g</value><value/></property>"
            + "</configuration>",
        "<configuration><property><name>key</name><value>8g</value><value>9g</value></property>"
            + "</configuration>",
        "<configuration><property><name>a</name><value>1</value>@8g@</property></configuration>",
        "<configuration><property>@8g@<name>a</name><value>1</value></property></configuration>",
        "<configuration><property><name>key</name><value>8<b>x</b>g</value></property>"
            + "</configuration>",
        "<configuration><configuration>@8g@</configuration></configuration>",
        "<configuration><fallback>@8g@</fallback>@9g@</configuration>",
        "<configuration><include href='none.xml'><fallback>@8g@</fallback></include>"
            + "</configuration>",
        "<configuration><include>@8g@</include></configuration>",
        "<c:configuration xmlns:c='u'><c:property><c:name>key</c:name><c:value>8g</c:value>"
            + "</c:property></c:configuration>",
        "<?xml version='1.1'?><configuration>@8g@</configuration>",
        "\n\n<configuration>@8g@</configuration>",
        " <?xml version='1.0'?><configuration>@8g@</configuration>",
        "<!DOCTYPE configuration [<!ENTITY s '8g'>]><configuration>@&s;@</configuration>",
        "<configuration>@8g@</configuration><configuration/>",
        "<configuration>@8g</configuration>",
        "<configuration>@8g@",
        ""
      })
  void anOddFileIsReadAsHadoopReadsIt(String odd) throws Exception {
    StringBuilder xml = new StringBuilder();
    String[] parts = odd.split("@", -1);
    for (int i = 0; i < parts.length; i++) {
      boolean isValue = i % 2 == 1;
      xml.append(isValue ? "<property><name>key</name><value>" : "")
          .append(parts[i])
          .append(isValue ? "</value></property>" : "");
    }
    Path file = Files.writeString(folder.resolve("site.xml"), xml);
    Configuration hadoop = new Configuration(false);
    hadoop.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    String expected;
    try {
      expected = Optional.ofNullable(hadoop.getTrimmed("key")).orElse("");
    } catch (RuntimeException e) {
      assertThatThrownBy(() -> read(xml.toString())).isInstanceOf(UnreadableConfException.class);
      return;
    }

    assertThat(read(xml.toString()).get("key").orElse("")).isEqualTo(expected);
  }

  @Test
  void aKeyWithTwoValuesInOneFileIsNamed() throws Exception {
    assertThat(read(PROPERTIES).twice()).containsExactly("last", "twice");
    assertThat(read(PROPERTIES, PROPERTIES.replace("<value>1</value>", "<value>2</value>")).twice())
        .as("another file may have another value")
        .doesNotContain("deeper");
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
    assertThat(site.includes()).containsExactlyInAnyOrder("other.xml", secret.toUri().toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<configuration>", "no xml", "<configuration></property>"})
  void whatIsNoXmlIsAnErrorThatNamesTheFile(String contents) {
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
