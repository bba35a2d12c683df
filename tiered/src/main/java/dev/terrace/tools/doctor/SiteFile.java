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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * The properties of core-site.xml and hbase-site.xml, as Hadoop's {@code Configuration} reads them:
 * a later value replaces an earlier one unless that is final, and {@code ${name}} is replaced.
 * Files that they include are not read.
 */
final class SiteFile implements SiteValues {

  private static final String FEATURES = "http://xml.org/sax/features/";

  /** Hadoop reads no elements that are deeper. */
  private static final int MOST_DEPTH = 1_000;

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^${}\\s]+)\\}");
  private static final Pattern ENVIRONMENT = Pattern.compile("env\\.([^:-]+)(?::?-(.*))?");

  /** Hadoop's limit for values that refer to themselves. */
  private static final int MOST_REPLACED = 20;

  private final Map<String, String> values = new HashMap<>();
  private final Set<String> finals = new HashSet<>();
  private final List<String> includes = new ArrayList<>();

  /**
   * Adds the properties of a file.
   *
   * @throws UnreadableConfException if it cannot be read, or is no XML of Hadoop
   */
  void read(Path file) throws UnreadableConfException {
    try (InputStream in = Files.newInputStream(file)) {
      Document document = parser().parse(in);
      Element root = document.getDocumentElement();
      if (!root.getTagName().equals("configuration")) {
        throw new UnreadableConfException(
            file + " begins with <" + root.getTagName() + "> in place of <configuration>");
      }
      readAll(root);
    } catch (SAXException e) {
      throw new UnreadableConfException(file + " is not XML: " + e.getMessage(), e);
    } catch (IOException | ParserConfigurationException e) {
      throw new UnreadableConfException(file + " cannot be read: " + e, e);
    }
  }

  /** Refuses what reads other files or addresses. */
  private static DocumentBuilder parser() throws ParserConfigurationException {
    // The JDK's own, whatever is on the class path: others do not know all of these features.
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setAttribute("jdk.xml.maxElementDepth", MOST_DEPTH);
    factory.setFeature(FEATURES + "external-general-entities", false);
    factory.setFeature(FEATURES + "external-parameter-entities", false);
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
    factory.setXIncludeAware(false);
    DocumentBuilder parser = factory.newDocumentBuilder();
    // The parser's own handler prints to the console.
    parser.setErrorHandler(new DefaultHandler());
    return parser;
  }

  private void readAll(Element configuration) {
    for (Element element : children(configuration)) {
      switch (element.getTagName()) {
        case "property" -> readProperty(element);
        case "xi:include", "include" -> includes.add(element.getAttribute("href"));
        case "xi:fallback", "fallback" -> {
          // Of an inclusion, which is not read.
        }
        // Hadoop finds properties in elements of any other name.
        default -> readAll(element);
      }
    }
  }

  private void readProperty(Element property) {
    String name = part(property, "name").orElse("").trim();
    Optional<String> value = part(property, "value");
    if (name.isEmpty() || value.isEmpty() || finals.contains(name)) {
      return;
    }
    values.put(name, value.get());
    if (part(property, "final").orElse("").trim().equals("true")) {
      finals.add(name);
    }
  }

  /** A part of a property: an element, which counts for nothing if it is empty, or an attribute. */
  private static Optional<String> part(Element property, String name) {
    Optional<String> found =
        property.hasAttribute(name) ? Optional.of(property.getAttribute(name)) : Optional.empty();
    for (Element element : children(property)) {
      if (element.getTagName().equals(name) && !element.getTextContent().isEmpty()) {
        found = Optional.of(element.getTextContent());
      }
    }
    return found;
  }

  private static List<Element> children(Element parent) {
    List<Element> elements = new ArrayList<>();
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element element) {
        elements.add(element);
      }
    }
    return elements;
  }

  /** The files that the files include. */
  List<String> includes() {
    return List.copyOf(includes);
  }

  @Override
  public Optional<String> get(String key) {
    return Optional.ofNullable(values.get(key))
        .map(value -> replacedIn(value).trim())
        .filter(value -> !value.isEmpty());
  }

  /**
   * Replaces {@code ${name}} as Hadoop does: by a system property, by the property of that name,
   * or, as from Hadoop 3 on, by a variable of the environment ({@code ${env.NAME}}). From the first
   * one without a value on, the rest stays as it is written.
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
    Matcher environment = ENVIRONMENT.matcher(name);
    if (environment.matches()) {
      String value = System.getenv(environment.group(1));
      return value == null || value.isEmpty() ? environment.group(2) : value;
    }
    String property = System.getProperty(name);
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
