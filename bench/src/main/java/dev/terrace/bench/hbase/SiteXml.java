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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The text of an {@code hbase-site.xml}: settings in the order in which they were given. Immutable.
 */
public final class SiteXml {

  private final Map<String, String> settings;

  private SiteXml(Map<String, String> settings) {
    this.settings = settings;
  }

  /** Returns a file that holds these settings. */
  public static SiteXml of(Map<String, String> settings) {
    return new SiteXml(new LinkedHashMap<>(settings));
  }

  /** Returns a file with these settings added; one that was there before gets the new value. */
  public SiteXml with(Map<String, String> more) {
    Map<String, String> merged = new LinkedHashMap<>(settings);
    merged.putAll(more);
    return new SiteXml(merged);
  }

  /** Returns the XML text. */
  public String text() {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    settings.forEach(
        (key, value) ->
            xml.append("  <property>\n    <name>")
                .append(escape(key))
                .append("</name>\n    <value>")
                .append(escape(value))
                .append("</value>\n  </property>\n"));
    return xml.append("</configuration>\n").toString();
  }

  /**
   * Writes the file.
   *
   * @throws IOException if it cannot be written
   */
  public void write(Path file) throws IOException {
    Files.writeString(file, text());
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
