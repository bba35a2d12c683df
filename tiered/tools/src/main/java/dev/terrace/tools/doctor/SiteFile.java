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

import dev.terrace.hbase.settings.SiteValues;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The properties of HBase's and Hadoop's files, as Hadoop's {@code Configuration} reads them: a
 * later value replaces an earlier one unless that is final, and {@code ${name}} is replaced. Files
 * that they include are not read.
 */
final class SiteFile implements SiteValues {

  /** Hadoop reads no elements that are deeper. */
  private static final int MOST_DEPTH = 1_000;

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^$} ]+)\\}");
  private static final Pattern ENVIRONMENT = Pattern.compile("env\\.([^:-]+)(?::?-(.*))?");

  /** Hadoop's limit for values that refer to themselves. */
  private static final int MOST_REPLACED = 20;

  private final Map<String, String> systemProperties;
  private final Optional<Map<String, String>> environment;
  private final Map<String, String> values = new HashMap<>();
  private final Set<String> finals = new HashSet<>();
  private final List<String> includes = new ArrayList<>();
  private final Set<String> twice = new TreeSet<>();

  /**
   * No properties yet.
   *
   * @param systemProperties those of the process that is to read the files
   * @param environment its variables, by which Hadoop replaces {@code ${env.NAME}} from Hadoop 3 on
   */
  SiteFile(Map<String, String> systemProperties, Optional<Map<String, String>> environment) {
    this.systemProperties = Map.copyOf(systemProperties);
    this.environment = environment;
  }

  /**
   * Adds the properties of a file.
   *
   * @throws UnreadableConfException if it cannot be read, or is no XML
   */
  void read(Path file) throws UnreadableConfException {
    try (InputStream in = Files.newInputStream(file)) {
      read(in, file);
    } catch (IOException e) {
      throw new UnreadableConfException(file + " cannot be read: " + e, e);
    }
  }

  /** Adds the properties of a file in a jar. */
  void read(InputStream in, Path name) throws UnreadableConfException {
    try {
      XMLStreamReader xml = parser().createXMLStreamReader(in);
      Reading reading = new Reading(name);
      while (xml.hasNext()) {
        reading.take(xml.next(), xml);
      }
      xml.close();
    } catch (XMLStreamException e) {
      String where = e.getLocation() == null ? "" : " in line " + e.getLocation().getLineNumber();
      String reason = e.getMessage().lines().reduce((first, last) -> last).orElse("");
      throw new UnreadableConfException(
          name + " is not XML" + where + ": " + reason.replaceFirst("^Message: ", ""), e);
    }
  }

  /** Opens no other files or addresses. */
  private XMLInputFactory parser() {
    // The JDK's own, whatever is on the class path.
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          includes.add(systemId);
          return InputStream.nullInputStream();
        });
    return factory;
  }

  /**
   * A file as it is read. Hadoop keeps no tree of elements, so this is its automaton: that shows
   * where elements are repeated, or inside of others.
   */
  private final class Reading {

    private final Path file;
    private final Set<String> names = new HashSet<>();
    private final StringBuilder text = new StringBuilder();
    private int depth;
    private String name;
    private String value;
    private boolean isFinal;
    private boolean isFallbackUsed;
    private boolean isInFallback;

    Reading(Path file) {
      this.file = file;
    }

    void take(int event, XMLStreamReader xml) throws XMLStreamException {
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> start(xml);
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(xml.getText());
        case XMLStreamConstants.END_ELEMENT -> end(xml.getLocalName());
        default -> {
          // Comments, white space and the like.
        }
      }
    }

    private void start(XMLStreamReader xml) throws XMLStreamException {
      depth++;
      if (depth > MOST_DEPTH) {
        throw new XMLStreamException("elements are more than " + MOST_DEPTH + " deep");
      }
      switch (xml.getLocalName()) {
        case "property" -> {
          name = xml.getAttributeValue(null, "name");
          value = xml.getAttributeValue(null, "value");
          isFinal = "true".equals(xml.getAttributeValue(null, "final"));
        }
        case "name", "value", "final", "source", "tag" -> text.setLength(0);
        case "include" -> {
          String href = xml.getAttributeValue(null, "href");
          if (href != null) {
            includes.add(href);
            isFallbackUsed = Files.notExists(file.resolveSibling(href));
          }
        }
        case "fallback" -> isInFallback = true;
        default -> {
          // Hadoop finds properties in elements of any other name.
        }
      }
    }

    private void end(String element) {
      depth--;
      switch (element) {
        case "name" -> name = text.isEmpty() ? name : text.toString().trim();
        case "value" -> value = text.isEmpty() ? value : text.toString();
        case "final" -> isFinal = text.toString().equals("true");
        case "include" -> {
          isFallbackUsed = false;
          isInFallback = false;
        }
        case "property" -> {
          if (name != null && (isFallbackUsed || !isInFallback)) {
            add();
          }
        }
        default -> {
          // Has no meaning.
        }
      }
    }

    private void add() {
      if (value != null && !finals.contains(name)) {
        String before = values.put(name, value);
        if (!names.add(name) && !value.equals(before)) {
          twice.add(name);
        }
      } else if (value != null && names.contains(name) && !value.equals(values.get(name))) {
        twice.add(name);
      }
      if (isFinal) {
        finals.add(name);
      }
    }
  }

  /** What the files include. */
  List<String> includes() {
    return List.copyOf(includes);
  }

  /** The keys to which one file gives two values. */
  Set<String> twice() {
    return twice;
  }

  @Override
  public Optional<String> get(String key) {
    return Optional.ofNullable(values.get(key))
        .map(value -> replacedIn(value).trim())
        .filter(value -> !value.isEmpty());
  }

  /**
   * Replaces {@code ${name}} as Hadoop does: by a system property, by the property of that name, or
   * by a variable of the environment ({@code ${env.NAME}}). From the first one without a value on,
   * the rest stays as it is written.
   */
  private String replacedIn(String value) {
    String result = value;
    for (int i = 0; i < MOST_REPLACED; i++) {
      Matcher matcher = VARIABLE.matcher(result);
      String found = matcher.find() ? valueOf(matcher.group(1)) : null;
      if (found == null) {
        return result;
      }
      result = result.substring(0, matcher.start()) + found + result.substring(matcher.end());
    }
    return result;
  }

  /** The value of a variable; null if it has none. */
  private String valueOf(String name) {
    Matcher variable = ENVIRONMENT.matcher(name);
    if (environment.isPresent() && variable.matches()) {
      String value = environment.get().get(variable.group(1));
      boolean isUnset = value == null || (value.isEmpty() && name.contains(":-"));
      return isUnset ? variable.group(2) : value;
    }
    String property = systemProperties.getOrDefault(name, System.getProperty(name));
    return property == null ? values.get(name) : property;
  }

  @Override
  public Map<String, String> withPrefix(String prefix) {
    Map<String, String> found = new TreeMap<>();
    values.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            found.put(key, value);
          }
        });
    return found;
  }
}
