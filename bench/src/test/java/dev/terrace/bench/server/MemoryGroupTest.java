// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryGroupTest {

  private static final long LIMIT = 64L << 20;

  @TempDir Path folder;

  /** The reason is the message of the skipped test. */
  static void assumeGroups() {
    Optional<String> whyNone = MemoryGroup.whyNone();
    assumeTrue(whyNone.isEmpty(), whyNone::orElseThrow);
  }

  @Test
  void aSystemWithoutThemIsNamedAndLeftAsItWas() {
    assertThat(MemoryGroup.whyNone(folder).orElseThrow())
        .startsWith("no control group for memory can be made in " + folder + ": ");
    assertThat(folder).isEmptyDirectory();
    Path missing = folder.resolve("missing");
    assertThat(MemoryGroup.whyNone(missing).orElseThrow()).contains(missing.toString());
  }

  @Test
  void thePagesThatAProcessFillsCountAndAreLimited() throws IOException {
    assumeGroups();
    assumeFalse(PageCache.isMemory(folder), "files lie in memory");
    long fewBytes = LIMIT / 4;
    Path few = folder.resolve("a few");
    try (MemoryGroup group = MemoryGroup.create(LIMIT)) {
      write(group, few, fewBytes);
      assertThat(group.use().pageCacheBytes()).isBetween(fewBytes, LIMIT);
      assertThat(group.use().residentBytes()).isLessThan(LIMIT - fewBytes);
      assertThat(few).hasSize(fewBytes);
      write(group, folder.resolve("many"), 2 * LIMIT);
      assertThat(group.use().pageCacheBytes()).isBetween(fewBytes, LIMIT);
    }
    assertThat(MemoryGroup.whyNone()).isEmpty();
  }

  private static void write(MemoryGroup group, Path file, long bytes) throws IOException {
    String write = "head -c " + bytes + " /dev/zero > '" + file + "'";
    JavaProcess.runToEnd(
        Stream.concat(group.starting(), Stream.of("sh", "-c", write)).toArray(String[]::new));
  }
}
