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

import dev.terrace.api.AdmissionPolicy.Verdict;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.tiered.DownCopy.Result;
import java.util.Iterator;
import java.util.List;

/**
 * Copies what is in the highest tier alone to those below while they have free room, a few blocks
 * at a time: so that a crash, which empties the highest tier, takes nothing that there was room
 * for. What it writes would have been written when it left the highest tier. One thread calls it.
 *
 * @param <B> the object that readers use
 */
final class SafeCopies<B> {

  /** So many blocks are looked at in a step. */
  private static final int MOST_LOOKED_AT = 20_000;

  private final Tier<B> highest;
  private final List<Demoter.Destination<B>> below;
  private final DownCopy<B> copies;
  private final long mostBytes;
  private Iterator<BlockInfo> pass;

  /**
   * Copies that begin with the first step.
   *
   * @param below where blocks may go, the highest first
   * @param mostBytes encoded bytes that are copied in a step, at most, but for the last block
   */
  SafeCopies(
      Tier<B> highest, List<Demoter.Destination<B>> below, DownCopy<B> copies, long mostBytes) {
    this.highest = highest;
    this.below = List.copyOf(below);
    this.copies = copies;
    this.mostBytes = mostBytes;
    this.pass = highest.blocks();
  }

  /** Goes on where the step before ended; tells how many blocks were copied. Never waits. */
  int step() {
    if (below.stream().noneMatch(to -> to.tier().hasFreeRoom())) {
      return 0;
    }
    if (!pass.hasNext()) {
      pass = highest.blocks();
    }
    long bytes = 0;
    int copied = 0;
    for (int i = 0; i < MOST_LOOKED_AT && bytes < mostBytes && pass.hasNext(); i++) {
      BlockInfo info = pass.next();
      if (copies.isBelow(info)) {
        continue;
      }
      Result result = copies.copy(info, block -> put(info, block));
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

  private Result put(BlockInfo info, B block) {
    Result result = Result.NOT_COPIED;
    for (Demoter.Destination<B> to : below) {
      if (to.tier().hasFreeRoom()) {
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
        to.admission().offer(BlockKey.hash(file, offset), info.sizeBytes(), Source.DEMOTION, true);
    PutOutcome outcome =
        verdict == Verdict.ADMIT ? to.tier().put(file, offset, block, info.traits()) : null;
    to.moves().count(MoveOutcome.of(verdict, outcome), info.sizeBytes());
    if (outcome == null || outcome == PutOutcome.BUSY) {
      return Result.BUSY;
    }
    return outcome.isPresent() ? Result.COPIED : Result.NOT_COPIED;
  }
}
