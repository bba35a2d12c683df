// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code and the file of texts have the same findings. */
class FindingsTest {

  private static final Pattern ADDED =
      Pattern.compile("\\b\\w+\\.(?:error|warning|question)\\(\\s*\"([a-z0-9-]+)\"");
  private static final Pattern WORD = Pattern.compile("\"([a-z0-9-]+)\"");

  private static Set<String> texts() throws IOException {
    Properties texts = new Properties();
    try (InputStream in = Findings.class.getResourceAsStream("findings.properties")) {
      texts.load(in);
    }
    return new TreeSet<>(texts.stringPropertyNames());
  }

  private static String code() throws IOException {
    StringBuilder code = new StringBuilder();
    for (String folder :
        List.of(
            "src/main/java/dev/terrace/hbase/settings",
            "src/main/java/dev/terrace/hbase/preflight",
            "tools/src/main/java/dev/terrace/tools/doctor")) {
      try (Stream<Path> files = Files.list(Path.of(folder))) {
        for (Path file : files.toList()) {
          code.append(Files.readString(file));
        }
      }
    }
    return code.toString();
  }

  private static Set<String> found(Pattern pattern) throws IOException {
    return pattern
        .matcher(code())
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> ids() throws IOException {
    return texts().stream()
        .map(key -> key.substring(0, key.lastIndexOf('.')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void eachHasThreeTexts() throws IOException {
    assertThat(texts())
        .containsExactlyInAnyOrderElementsOf(
            ids().stream()
                .flatMap(id -> Stream.of(id + ".what", id + ".why", id + ".do"))
                .toList());
  }

  @Test
  void eachOfTheFileIsAddedByTheCode() throws IOException {
    assertThat(found(WORD)).containsAll(ids());
  }

  @Test
  void eachThatTheCodeAddsIsInTheFile() throws IOException {
    assertThat(ids()).containsAll(found(ADDED));
  }
}
