// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.why;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.files.KnownFiles;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.junit.jupiter.api.Test;

final class RecentMissesTest {

  private static final Duration PERIOD = Duration.ofMillis(FileEvents.Count.PERIOD_MILLIS);
  private static final Instant START = Instant.parse("2026-11-27T12:00:00Z");

  private Instant now = START;
  private final KnownFiles known = new KnownFiles(Stream::of, System::nanoTime);
  private final RecentMisses misses = new RecentMisses(known, () -> now.toEpochMilli());

  private void miss(String table, boolean toCache) {
    String file = String.format("%32s", table).replace(' ', '0');
    Path path = new Path("/hbase/data/ns/" + table + "/region/f/" + file);
    known.read(file, new BlockCacheKey(path, 0, true, BlockType.DATA));
    misses.missed(file, toCache);
  }

  private List<String> counts() {
    return misses.largest().stream().map(of -> of.table() + " " + of.misses()).toList();
  }

  @Test
  void aCauseIsAFamilyAndAKindOfRead() {
    miss("one", true);
    miss("two", false);
    miss("two", false);

    assertThat(misses.largest())
        .containsExactly(
            new RecentMisses.Misses("ns:two", "f", "compaction", 2),
            new RecentMisses.Misses("ns:one", "f", "inside the server", 1));
  }

  @Test
  void missesAreForgottenAfterTwoPeriods() {
    miss("one", true);
    now = START.plus(PERIOD);
    miss("two", true);
    miss("two", true);
    assertThat(counts()).containsExactly("ns:two 2", "ns:one 1");
    assertThat(misses.since()).isEqualTo(START);

    now = START.plus(PERIOD.multipliedBy(2));
    assertThat(counts()).containsExactly("ns:two 2");
    assertThat(misses.since()).isEqualTo(START.plus(PERIOD));

    now = START.plus(PERIOD.multipliedBy(9));
    assertThat(counts()).isEmpty();
  }

  @Test
  void theNumberOfCausesIsBounded() {
    for (int table = 0; table < 5_000; table++) {
      miss("t" + table, true);
    }
    miss("often", true);
    miss("often", true);
    assertThat(counts()).hasSize(10).first().isEqualTo("ns:often 2");
  }
}
