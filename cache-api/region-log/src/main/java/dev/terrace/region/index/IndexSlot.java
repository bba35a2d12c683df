// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.HashSecrets;
import dev.terrace.region.format.RecordLayout;

/**
 * The layout of an index slot: 16 bytes, two words in native byte order.
 *
 * <pre>
 *          63                                20 19      9  8  7   6  5  4  3      0
 *         +------------------------------------+---------+--+------+--+--+--------+
 * word    |  key: the mixed offset (44 bits)   |  spare  | U| hits | V| P|  type  |
 *         +------------------------------------+---------+--+------+--+--+--------+
 * address |  a BlockAddress (64 bits)                                             |
 *         +-----------------------------------------------------------------------+
 *
 * U  the slot is used; both words of an unused slot are 0
 * V  the block was verified, or written by this process
 * P  the block is protected ({@link Residency})
 * </pre>
 *
 * <p>A key is a reversible mix of the offset: spread like a hash, but the offset can be recovered
 * from it. So a table keeps its blocks in the order of their keys, and stores no offsets.
 */
public final class IndexSlot {

  static final int BYTES = 16;

  /** The largest offset: all bits of a key are set. */
  static final long MAX_OFFSET = RecordLayout.MAX_OFFSET;

  static final int MAX_HITS = 3;
  static final long UNUSED = 0;

  private static final int KEY_SHIFT = 20;
  private static final long TYPE_MASK = BlockTraits.TYPES - 1;
  private static final long PROTECTED = 1L << 4;
  private static final long VERIFIED = 1L << 5;
  private static final int HITS_SHIFT = 6;
  private static final long HITS_MASK = (long) MAX_HITS << HITS_SHIFT;
  private static final long USED = 1L << 8;

  /*
   * Two rounds of xor-shift and multiplication on 44 bits, like the last steps of many hash
   * functions. Each step is reversible: an xor-shift by half the width is its own inverse, and an
   * odd factor has an inverse. Offsets come in powers of two and other strides; a single
   * multiplication would leave some of them clustered. The factors are secret, so nobody can choose
   * offsets that share a home: the high bits of a product with a random odd factor are a universal
   * hash (Dietzfelbinger et al., 1997). Keys exist in memory only.
   */
  private static final int HALF = 22;
  private static final long FACTOR_1 = HashSecrets.factor("first of offsets in the log");
  private static final long FACTOR_2 = HashSecrets.factor("second of offsets in the log");
  private static final long INVERSE_1 = inverse(FACTOR_1);
  private static final long INVERSE_2 = inverse(FACTOR_2);

  private IndexSlot() {}

  /** Newton's iteration: each round doubles the number of correct low bits, from 3 at the start. */
  private static long inverse(long factor) {
    long inverse = factor;
    for (int round = 0; round < 5; round++) {
      inverse *= 2 - factor * inverse;
    }
    return inverse;
  }

  /** The key of an offset from 0 to {@link #MAX_OFFSET}; no two offsets share one. */
  public static long key(long offset) {
    long key = offset ^ (offset >>> HALF);
    key = (key * FACTOR_1) & MAX_OFFSET;
    key ^= key >>> HALF;
    key = (key * FACTOR_2) & MAX_OFFSET;
    return key ^ (key >>> HALF);
  }

  static long offsetOfKey(long key) {
    long offset = key ^ (key >>> HALF);
    offset = (offset * INVERSE_2) & MAX_OFFSET;
    offset ^= offset >>> HALF;
    offset = (offset * INVERSE_1) & MAX_OFFSET;
    return offset ^ (offset >>> HALF);
  }

  /** The home of a key among {@code homes} slots, in the order of the keys. */
  static int home(long key, int homes) {
    return (int) (((key >>> 12) * homes) >>> 32);
  }

  static long word(long key, BlockTraits traits, boolean verified) {
    long word = key << KEY_SHIFT | USED | traits.type();
    if (traits.residency() == Residency.PROTECTED) {
      word |= PROTECTED;
    }
    return verified ? word | VERIFIED : word;
  }

  static boolean isOfKey(long word, long key) {
    return word != UNUSED && word >>> KEY_SHIFT == key;
  }

  static long keyOfWord(long word) {
    return word >>> KEY_SHIFT;
  }

  static long offset(long word) {
    return offsetOfKey(word >>> KEY_SHIFT);
  }

  /** The traits; always the same instances. */
  static BlockTraits traits(long word) {
    boolean isProtected = (word & PROTECTED) != 0;
    return BlockTraits.of(
        (int) (word & TYPE_MASK), isProtected ? Residency.PROTECTED : Residency.ORDINARY);
  }

  static boolean isVerified(long word) {
    return (word & VERIFIED) != 0;
  }

  static long withVerified(long word) {
    return word | VERIFIED;
  }

  static int hits(long word) {
    return (int) ((word & HITS_MASK) >>> HITS_SHIFT);
  }

  /** One more hit; at most {@link #MAX_HITS}. */
  static long withHit(long word) {
    return hits(word) == MAX_HITS ? word : word + (1L << HITS_SHIFT);
  }

  /** One hit less; none less than none. */
  static long withHitTaken(long word) {
    return hits(word) == 0 ? word : word - (1L << HITS_SHIFT);
  }

  static long withoutHits(long word) {
    return word & ~HITS_MASK;
  }
}
