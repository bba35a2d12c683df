// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds what documents refer to: one another's sections, classes, and figures of the bean. */
class DocumentsTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`");
  private static final Pattern FIGURE = Pattern.compile("`([a-z]+(?:[A-Z][A-Za-z0-9]*)+)`");

  /** Of the JDK, HBase and Netty. */
  private static final Set<String> OTHERS =
      Set.of(
          "AsynchronousFileChannel",
          "BlockCache",
          "CacheAwareLoadBalancer",
          "ConcurrentHashMap",
          "FileChannel",
          "HashMap",
          "LongAdder",
          "ResizableBlockCache");

  private static String text(Path document) throws IOException {
    return CODE.matcher(Files.readString(document)).replaceAll("");
  }

  private static List<Path> files(String end) throws IOException {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all.filter(file -> file.toString().endsWith(end))
          .filter(file -> !ROOT.relativize(file).toString().matches("(.*/)?(target|\\.[^/]+)/.*"))
          .toList();
    }
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).collect(toSet());
  }

  /** The names of a document's sections, as GitHub makes them. */
  private static Set<String> anchors(Path document) throws IOException {
    return HEADING.matcher(text(document)).results().map(DocumentsTest::anchor).collect(toSet());
  }

  private static String anchor(MatchResult heading) {
    return heading
        .group(1)
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
        .replace(' ', '-');
  }

  private static boolean isThere(Path document, String link) throws IOException {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? document : document.resolveSibling(file);
    return Files.exists(target) && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
  }

  @Test
  void eachLinkHasItsSection() throws IOException {
    Set<String> broken = new HashSet<>();
    for (Path document : files(".md")) {
      for (String link : found(LINK, text(document))) {
        if (!link.startsWith("http") && !isThere(document, link)) {
          broken.add(ROOT.relativize(document) + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void architectureAndSynchronizationNameClassesThatExist() throws IOException {
    Set<String> known = new HashSet<>(OTHERS);
    for (Path source : files(".java")) {
      known.add(source.getFileName().toString().replace(".java", ""));
    }
    for (String document : List.of("architecture.md", "synchronization.md")) {
      assertThat(found(CLASS, text(ROOT.resolve("docs").resolve(document))))
          .as(document)
          .isSubsetOf(known);
    }
  }

  @Test
  void operationsNameFiguresAsTheBeanDoes() throws IOException {
    Set<String> known =
        Arrays.stream(TerraceMXBean.class.getMethods()).map(Method::getName).collect(toSet());
    assertThat(found(FIGURE, text(ROOT.resolve("docs/operations.md")))).isSubsetOf(known);
  }
}
