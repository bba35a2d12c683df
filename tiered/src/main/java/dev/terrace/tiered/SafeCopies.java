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

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.tiered.DownCopy.Result;
import dev.terrace.tiered.admission.AdmissionPolicy.Verdict;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Copies blocks that only the highest tier holds to the tiers below, so that a crash loses less.
 * While there is free room below, it copies all of them. Into a full tier that is much larger, it
 * copies blocks that stayed in the highest tier for {@value #STAYED_MINUTES} minutes: most of them
 * would be written anyway when they leave. Called by one thread.
 *
 * @param <B> the object that readers use
 */
final class SafeCopies<B> {

  /** Blocks examined in a step while there is free room. */
  private static final int MOST_LOOKED_AT = 20_000;

  /** Blocks examined in a step when all tiers are full: this goes on for as long as the process. */
  private static final int MOST_LOOKED_AT_WHEN_FULL = 2_000;

  /**
   * How long a block must have been in the highest tier. So the copies into a full tier in this
   * time are the highest tier's size at most.
   */
  private static final int STAYED_MINUTES = 10;

  private static final long STAYED_NANOS = TimeUnit.MINUTES.toNanos(STAYED_MINUTES);

  private final Tier<B> highest;
  private final List<Demoter.Destination<B>> below;
  private final Predicate<Tier<B>> isMuchLarger;
  private final DownCopy<B> copies;
  private final long mostBytes;
  private Iterator<BlockInfo> pass;

  /**
   * Copies that begin with the first step.
   *
   * @param below the tiers below, the highest first
   * @param isMuchLarger whether a tier, when full, has room for copies of the highest tier's blocks
   * @param mostBytes encoded bytes to copy in a step; the last block may exceed it
   */
  SafeCopies(
      Tier<B> highest,
      List<Demoter.Destination<B>> below,
      Predicate<Tier<B>> isMuchLarger,
      DownCopy<B> copies,
      long mostBytes) {
    this.highest = highest;
    this.below = List.copyOf(below);
    this.isMuchLarger = isMuchLarger;
    this.copies = copies;
    this.mostBytes = mostBytes;
    this.pass = Collections.emptyIterator();
  }

  /**
   * Goes on where the last step ended; returns the number of copied blocks. Never waits.
   *
   * @param nowNanos {@link System#nanoTime}
   */
  int step(long nowNanos) {
    boolean isFull = below.stream().noneMatch(SafeCopies::hasRoom);
    List<Demoter.Destination<B>> takers =
        below.stream().filter(to -> !isFull || isMuchLarger.test(to.tier())).toList();
    if (takers.isEmpty()) {
      return 0;
    }
    if (!pass.hasNext()) {
      pass = highest.blocks();
    }
    int mostLookedAt = isFull ? MOST_LOOKED_AT_WHEN_FULL : MOST_LOOKED_AT;
    long bytes = 0;
    int copied = 0;
    for (int i = 0; i < mostLookedAt && bytes < mostBytes && pass.hasNext(); i++) {
      BlockInfo info = pass.next();
      boolean hasStayed = nowNanos - info.putNanos() >= STAYED_NANOS;
      if ((isFull && !hasStayed) || copies.isBelow(info)) {
        continue;
      }
      Result result = copies.copy(info, block -> put(info, block, takers, isFull));
      if (result == Result.BUSY) {
        return copied;
      }
      if (result == Result.COPIED) {
        bytes += info.sizeBytes();
        copied++;
      }
    }
    return copied;
  }

  private static boolean hasRoom(Demoter.Destination<?> to) {
    return to.tier().hasFreeRoom();
  }

  private Result put(
      BlockInfo info, B block, List<Demoter.Destination<B>> takers, boolean evenIfFull) {
    Result result = Result.NOT_COPIED;
    for (Demoter.Destination<B> to : takers) {
      if (evenIfFull || hasRoom(to)) {
        Result here = put(info, block, to);
        if (here == Result.COPIED) {
          return here;
        }
        result = here == Result.BUSY ? here : result;
      }
    }
    return result;
  }

  private Result put(BlockInfo info, B block, Demoter.Destination<B> to) {
    String file = info.key().file();
    long offset = info.key().offset();
    Verdict verdict =
        to.verdict(file, BlockKey.hash(file, offset), info.sizeBytes(), Source.SAFEKEEPING);
    PutOutcome outcome =
        verdict == Verdict.ADMIT ? to.tier().put(file, offset, block, info.traits()) : null;
    to.moves().count(file, MoveOutcome.of(verdict, outcome), info.sizeBytes());
    if (outcome == null || outcome == PutOutcome.BUSY) {
      return Result.BUSY;
    }
    return outcome.isPresent() ? Result.COPIED : Result.NOT_COPIED;
  }
}
