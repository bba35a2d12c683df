/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.tiered;

import dev.terrace.api.Access;
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.Tier;
import java.util.List;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;

/**
 * Copies single blocks from the highest tier down. A concurrent eviction wins. Any thread may call
 * any method.
 *
 * @param <B> the object that readers use
 */
final class DownCopy<B> {

  /** The outcome of a copy. */
  enum Result {
    /** A tier below holds the block now. */
    COPIED,
    /** No tier took the block, or it was evicted meanwhile. */
    NOT_COPIED,
    /** The tiers are busy; they would refuse the next block, too. */
    BUSY
  }

  private final Tier<B> highest;
  private final List<Tier<B>> lower;
  private final BlockCodec<B> codec;
  private final InFlightCopies copies;
  private final ObjLongConsumer<String> eviction;

  /**
   * Copies to any of the lower tiers.
   *
   * @param eviction evicts a block from all tiers, by its file and offset
   */
  DownCopy(
      Tier<B> highest,
      List<Tier<B>> lower,
      BlockCodec<B> codec,
      InFlightCopies copies,
      ObjLongConsumer<String> eviction) {
    this.highest = highest;
    this.lower = List.copyOf(lower);
    this.codec = codec;
    this.copies = copies;
    this.eviction = eviction;
  }

  /** Whether a tier below holds the block. */
  boolean isBelow(BlockInfo info) {
    return lower.stream().anyMatch(t -> t.contains(info.key().file(), info.key().offset()));
  }

  /**
   * Copies a block.
   *
   * @param put puts it into a tier and returns the outcome; called at most once
   */
  Result copy(BlockInfo info, Function<B, Result> put) {
    String file = info.key().file();
    long offset = info.key().offset();
    InFlightCopies.Copy copy = copies.begin(file, offset);
    if (copy == null) {
      return Result.NOT_COPIED;
    }
    Result result = Result.NOT_COPIED;
    try {
      B block = highest.get(file, offset, Access.UNCOUNTED);
      if (block != null) {
        try {
          result = put.apply(block);
        } finally {
          codec.release(block);
        }
      }
    } finally {
      if (copies.end(copy)) {
        // From all: the tier that took the copy may have passed it on.
        result = Result.NOT_COPIED;
        eviction.accept(file, offset);
      }
    }
    return result;
  }
}
