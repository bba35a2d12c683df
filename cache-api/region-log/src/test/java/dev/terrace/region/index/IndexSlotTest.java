// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class IndexSlotTest {

  @Test
  void offsetComesBackFromItsKey() {
    SplittableRandom random = new SplittableRandom(1);
    for (int bits = 0; bits <= 44; bits++) {
      for (int i = 0; i < 1_000; i++) {
        assertRoundTrip(random.nextLong() & (1L << bits) - 1);
      }
      assertRoundTrip((1L << bits) - 1);
    }
    assertRoundTrip(0);
    assertRoundTrip(IndexSlot.MAX_OFFSET);
  }

  private static void assertRoundTrip(long offset) {
    long key = IndexSlot.key(offset);
    assertThat(key).isBetween(0L, IndexSlot.MAX_OFFSET);
    assertThat(IndexSlot.offsetOfKey(key)).isEqualTo(offset);
  }

  /** Whatever the stride, no part of the homes gets much more than its share. */
  @Test
  void spreadsOffsetsOfAnyStride() {
    assertSpread(i -> i);
    for (int shift = 9; shift <= 30; shift++) {
      int stride = shift;
      assertSpread(i -> i << stride);
      assertSpread(i -> (i << stride) + i * 33);
      assertSpread(i -> (i * 1_000_003) << stride & IndexSlot.MAX_OFFSET);
    }
  }

  private static void assertSpread(LongUnaryOperator offsets) {
    int parts = 64;
    int[] counts = new int[parts];
    for (long i = 0; i < parts * 128L; i++) {
      counts[IndexSlot.home(IndexSlot.key(offsets.applyAsLong(i)), parts)]++;
    }
    for (int count : counts) {
      assertThat(count).isBetween(64, 192);
    }
  }

  /** The key of a client who knows no secret. */
  private static long guessedKey(long offset) {
    long key = offset ^ (offset >>> 22);
    key = (key * 0x9E3779B97F4A7C15L) & IndexSlot.MAX_OFFSET;
    key ^= key >>> 22;
    key = (key * 0xBF58476D1CE4E5B9L) & IndexSlot.MAX_OFFSET;
    return key ^ (key >>> 22);
  }

  @Test
  void offsetsThatAreChosenToCollideDoNot() {
    int homes = 4096;
    int[] counts = new int[homes];
    long offset = 0;
    for (int block = 0; block < homes; block++) {
      while (IndexSlot.home(guessedKey(offset), homes) != 0) {
        offset++;
      }
      counts[IndexSlot.home(IndexSlot.key(offset), homes)]++;
      offset += 64 << 10;
    }
    assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(16);
  }

  @Test
  void homesAreInTheOrderOfTheKeys() {
    for (int homes : new int[] {1, 6, 20, 1_000_003, Integer.MAX_VALUE}) {
      assertThat(IndexSlot.home(0, homes)).isZero();
      assertThat(IndexSlot.home(IndexSlot.MAX_OFFSET, homes)).isEqualTo(homes - 1);
      assertThat(IndexSlot.home(IndexSlot.MAX_OFFSET / 2, homes)).isEqualTo((homes - 1) / 2);
    }
  }

  @Test
  void wordHoldsKeyTraitsAndFlags() {
    for (long offset : new long[] {0, 1, 65_536, IndexSlot.MAX_OFFSET}) {
      for (int type = 0; type < BlockTraits.TYPES; type++) {
        for (Residency residency : Residency.values()) {
          BlockTraits traits = new BlockTraits(type, residency);
          assertWord(IndexSlot.word(IndexSlot.key(offset), traits, true), offset, traits, true);
          assertWord(IndexSlot.word(IndexSlot.key(offset), traits, false), offset, traits, false);
        }
      }
    }
  }

  private static void assertWord(long word, long offset, BlockTraits traits, boolean verified) {
    assertThat(word).isNotEqualTo(IndexSlot.UNUSED);
    long touched = word;
    for (int hits = 0; hits < 6; hits++) {
      assertThat(IndexSlot.hits(touched)).isEqualTo(Math.min(hits, IndexSlot.MAX_HITS));
      assertThat(IndexSlot.offset(touched)).isEqualTo(offset);
      assertThat(IndexSlot.isOfKey(touched, IndexSlot.key(offset))).isTrue();
      assertThat(IndexSlot.traits(touched)).isEqualTo(traits);
      assertThat(IndexSlot.traits(touched)).isSameAs(IndexSlot.traits(word));
      assertThat(IndexSlot.isVerified(touched)).isEqualTo(verified);
      assertThat(IndexSlot.isVerified(IndexSlot.withVerified(touched))).isTrue();
      assertThat(IndexSlot.withoutHits(touched)).isEqualTo(word);
      touched = IndexSlot.withHit(touched);
    }
  }
}
