// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeenKeysTest {

  private final SeenKeys seen = new SeenKeys();

  /** As of one file's keys, but the same in every process. */
  private static final long FILE = "file".hashCode() * 0x9E3779B97F4A7C15L;

  private static long hash(long key) {
    return BlockKey.hash(FILE ^ key << 16);
  }

  private void add(long from, long to, long keys) {
    LongStream.range(from, to).forEach(key -> seen.add(hash(key), keys));
  }

  private double share(long from, long to) {
    return LongStream.range(from, to).filter(key -> seen.contains(hash(key))).count()
        / (double) (to - from);
  }

  @Test
  void knowsNothingAtFirst() {
    assertThat(share(0, 10_000)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 1_024, 65_536})
  void remembersTheLatestAndForgetsTheOldest(int keys) {
    add(0, 256, keys);
    for (long added = 256; added < 5L * keys; added += keys / 4) {
      add(added, added + keys / 4, keys);
      assertThat(share(added + keys / 4 - Math.min(keys, added), added + keys / 4)).isEqualTo(1);
    }
    assertThat(share(0, 2L * keys)).as("known after three times as many others").isLessThan(0.08);
  }

  @Test
  void knowsFewByMistake() {
    int keys = 4_096;
    add(0, 256 + 2 * keys, keys);
    assertThat(share(1_000_000, 1_100_000)).as("with both filters full").isLessThan(0.06);
  }

  /** Their bits are more than an int counts. */
  @Test
  void remembersHundredsOfMillions() {
    add(0, 1_000, 1L << 29);
    assertThat(share(0, 1_000)).isEqualTo(1);
    assertThat(share(1_000_000, 1_010_000)).as("known by mistake").isLessThan(0.06);
  }

  @Test
  void remembersAsManyAsAreAskedFor() {
    add(0, 256, 10_000);
    add(256, 256 + 8_192, 10_000);
    assertThat(share(0, 256 + 8_192)).isEqualTo(1);
    add(8_448, 8_448 + 256, 1);
    assertThat(share(256, 8_448 + 256)).as("of a large filter and a small one").isEqualTo(1);
    add(8_704, 8_704 + 256, 1);
    assertThat(share(256, 8_448)).as("two small filters later").isLessThan(0.06);
  }
}
