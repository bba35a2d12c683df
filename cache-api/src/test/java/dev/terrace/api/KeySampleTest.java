// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeySampleTest {

  private record Seen(long keyHash, int sizeBytes) {}

  private static List<Seen> drained(KeySample sample) {
    List<Seen> seen = new ArrayList<>();
    sample.drain((keyHash, sizeBytes) -> seen.add(new Seen(keyHash, sizeBytes)));
    return seen;
  }

  @Test
  void hitsAndMissesOfAKeyAreAccessesToOneKey() {
    KeySample sample = new KeySample(16);
    long key = BlockKey.hash(file("file"), 1) << 4;

    sample.miss(key, 66_000);
    sample.hit(key, 66_000);
    sample.hit(BlockKey.hash(file("file"), 2) << 4, 1);

    List<Seen> seen = drained(sample);
    assertThat(seen).hasSize(3);
    assertThat(seen.get(0)).isEqualTo(seen.get(1));
    assertThat(seen.get(0).sizeBytes).as("a multiple of 64").isEqualTo(66_048);
    assertThat(seen.get(2).sizeBytes).isEqualTo(64);
    assertThat(seen.get(2).keyHash).isNotEqualTo(seen.get(0).keyHash);
    assertThat(drained(sample)).isEmpty();
  }

  @Test
  void aKeyIsInTheSampleByItsHash() {
    KeySample sample = new KeySample(16);
    for (long offset = 0; offset < 4_000; offset++) {
      sample.miss(BlockKey.hash(file("file"), offset), 100);
    }

    assertThat(drained(sample)).hasSizeBetween(200, 300);
    assertThat(sample.misses()).as("all are counted").isEqualTo(4_000);
    assertThat(sample.lost()).isZero();
  }

  @Test
  void missesThatDoNotFitAreLostAndCounted() {
    KeySample sample = new KeySample(1);
    for (long key = 0; key < 5_000; key++) {
      sample.miss(key << 20, 100);
    }

    assertThat(drained(sample)).hasSize(4_096);
    assertThat(sample.lost()).isEqualTo(5_000 - 4_096);
    assertThat(sample.misses()).isEqualTo(5_000);
  }

  @Test
  void ofManyHitsTheLastAreKept() {
    KeySample sample = new KeySample(1);
    for (long key = 0; key < 1_000; key++) {
      sample.hit(key << 20, 100);
    }

    assertThat(drained(sample)).hasSize(512);
    assertThat(sample.lost()).isEqualTo(1_000 - 512);
  }

  @Test
  void refusesWhatIsNoPowerOfTwo() {
    assertThatThrownBy(() -> new KeySample(3)).hasMessageContaining("oneIn=3");
    assertThatThrownBy(() -> new KeySample(0)).hasMessageContaining("oneIn=0");
    assertThatThrownBy(() -> new KeySample(1 << 21)).hasMessageContaining("oneIn=2097152");
  }
}
