// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockKey;
import dev.terrace.api.KeySample;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;

/**
 * Passes the accesses to a sample of the keys on: caching hits, and puts after reads as misses. Any
 * thread may call any method.
 */
final class SampledKeys<B> {

  private final Tier<B> highest;
  private final BlockCodec<B> codec;

  /**
   * Null if nobody wants accesses. A plain field, so that a hit pays one read: a thread that sees a
   * change late adds a few accesses to the sample before.
   */
  private KeySample sample;

  /** Of a cache with this highest tier; null for none. */
  SampledKeys(Tier<B> highest, BlockCodec<B> codec) {
    this.highest = highest;
    this.codec = codec;
  }

  /** Changes the receiver; false if the highest tier cannot tell its hits. */
  boolean passTo(KeySample receiver) {
    boolean isPossible = highest != null && highest.sampleKeys(receiver);
    sample = isPossible ? receiver : null;
    return isPossible;
  }

  /** Called at each caching hit below the highest tier. */
  void hitBelow(long keyHash, B block) {
    KeySample receiver = sample;
    if (receiver != null) {
      receiver.hit(keyHash, codec.sizeBytes(block));
    }
  }

  /** Called at each put. */
  void put(String file, long offset, B block, Source source) {
    KeySample receiver = sample;
    if (receiver != null && source == Source.READ) {
      receiver.miss(BlockKey.hash(file, offset), codec.sizeBytes(block));
    }
  }
}
