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

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.tiered.admission.AdmissionPolicy;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Puts blocks from outside into the tiers of a cache. Thread-safe. */
final class Puts<B> {

  /** How long a put may wait for room. */
  private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long NO_WAIT = Long.MIN_VALUE;

  private final BlockCodec<B> codec;
  private final Tier<B> highest;
  private final List<Level<B>> lower;

  Puts(List<Level<B>> levels, BlockCodec<B> codec) {
    this.codec = codec;
    this.highest = levels.get(0).tier();
    this.lower = levels.subList(1, levels.size());
  }

  /** As {@link TieredCache#put(String, long, Object, BlockTraits, Source)}. */
  PutOutcome put(String file, long offset, B block, BlockTraits traits, Source source) {
    long waitUntil = source == Source.AHEAD ? waitFromNow() : NO_WAIT;
    if (source == Source.AHEAD && isFullFor(traits)) {
      // Blocks that were not read yet must not evict blocks that were.
      if (highest.contains(file, offset)) {
        return PutOutcome.ALREADY_PRESENT;
      }
      PutOutcome below = putInto(lower, file, offset, block, traits, source, waitUntil);
      return below == null ? PutOutcome.NOT_ADMITTED : below;
    }
    return putFromTop(file, offset, block, traits, source, waitUntil);
  }

  /** As {@link TieredCache#putRewritten}. */
  PutOutcome putRewritten(String file, long offset, B block, BlockTraits traits, int fromTier) {
    Source source = Source.REWRITTEN;
    long waitUntil = waitFromNow();
    if (fromTier == 0 && !isFullFor(traits)) {
      return putFromTop(file, offset, block, traits, source, waitUntil);
    }
    List<Level<B>> from = lower.subList(Math.max(0, fromTier - 1), lower.size());
    PutOutcome outcome = putInto(from, file, offset, block, traits, source, waitUntil);
    if (outcome == PutOutcome.STORED) {
      // The blocks that it was made of were read. Unless one of those reads counts for it, the
      // first reclaim drops it.
      from.forEach(level -> level.tier().touch(file, offset));
    }
    return outcome == null ? PutOutcome.NOT_ADMITTED : outcome;
  }

  /** Whether a block that was not read yet would evict others from the highest tier. */
  private boolean isFullFor(BlockTraits traits) {
    boolean competes = traits.residency() == BlockTraits.Residency.ORDINARY;
    return competes && !lower.isEmpty() && !highest.hasFreeRoom();
  }

  private PutOutcome putFromTop(
      String file, long offset, B block, BlockTraits traits, Source source, long waitUntil) {
    PutOutcome outcome = highest.put(file, offset, block, traits, restNanos(waitUntil));
    if (outcome.isPresent()) {
      return outcome;
    }
    PutOutcome below = putInto(lower, file, offset, block, traits, source, waitUntil);
    return below == null ? outcome : below;
  }

  private static long waitFromNow() {
    return System.nanoTime() + MOST_WAIT_NANOS;
  }

  private static long restNanos(long waitUntil) {
    return waitUntil == NO_WAIT ? 0 : Math.max(0, waitUntil - System.nanoTime());
  }

  /** Offers a block to tiers below the highest; null if none took it. */
  private PutOutcome putInto(
      List<Level<B>> levels,
      String file,
      long offset,
      B block,
      BlockTraits traits,
      Source source,
      long waitUntil) {
    int sizeBytes = codec.sizeBytes(block);
    for (Level<B> level : levels) {
      Tier<B> tier = level.tier();
      if (tier.contains(file, offset)) {
        // Asking the policy could refuse it here and write a second copy to the next tier.
        level.puts().count(file, MoveOutcome.ALREADY_THERE, sizeBytes);
        return PutOutcome.ALREADY_PRESENT;
      }
      AdmissionPolicy.Verdict verdict =
          tier.accepts(file, sizeBytes)
              ? level
                  .admission()
                  .offer(BlockKey.hash(file, offset), tier.likelyBytes(sizeBytes), source)
              : AdmissionPolicy.Verdict.ADMIT;
      PutOutcome outcome =
          verdict == AdmissionPolicy.Verdict.ADMIT
              ? tier.put(file, offset, block, traits, restNanos(waitUntil))
              : null;
      level.puts().count(file, MoveOutcome.of(verdict, outcome), sizeBytes);
      if (outcome != null && outcome.isPresent()) {
        return outcome;
      }
    }
    return null;
  }
}
