// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.server.Daemon.ServerLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerLogTest {

  @TempDir Path folder;

  @Test
  void findsTheNewestLineWithATextInIt() throws Exception {
    Path log = folder.resolve("log");
    Files.write(log, List.of("ERROR one", "info", "  ERROR two", "Caused by: x", "info"));

    assertThat(new ServerLog(log).newestWith("ERROR")).contains("ERROR two");
    assertThat(new ServerLog(log).newestWith("ERROR", "Caused by")).contains("Caused by: x");
    assertThat(new ServerLog(log).newestWith("FATAL")).isEmpty();
  }

  @Test
  void looksOnlyAtTheEndOfALongFile() throws Exception {
    Path log = folder.resolve("log");
    Files.write(log, IntStream.range(0, 100_000).mapToObj(i -> "line number " + i).toList());

    assertThat(new ServerLog(log).newestWith("number 9")).contains("line number 99999");
    assertThat(new ServerLog(log).newestWith("number 1000")).isEmpty();
  }

  @Test
  void aFailureQuotesTheNewestError() throws Exception {
    Path log = Files.writeString(folder.resolve("log"), "fine\n x ERROR lost\nfine\n");

    assertThat(new ServerLog(log).explain("gone\n  at somewhere"))
        .isEqualTo("gone; it says: x ERROR lost; HBase's log is " + log);
  }

  @Test
  void aLogThatDoesNotExistIsNamedAllTheSame() {
    Path none = folder.resolve("none");

    assertThat(new ServerLog(none).explain("gone")).isEqualTo("gone; HBase's log is " + none);
  }
}
