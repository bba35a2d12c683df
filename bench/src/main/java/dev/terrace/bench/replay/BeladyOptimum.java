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
package dev.terrace.bench.replay;

import dev.terrace.tools.trace.Trace;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * What a cache could do that knows the future: it keeps the blocks whose next use is nearest, and
 * does not take a block in whose own next use is farther than that of all it would displace.
 *
 * <p>With blocks of one size this is the most hits that any cache can have which loads a block when
 * it is asked for, and may leave it out (Belady, "A study of replacement algorithms for a
 * virtual-storage computer", 1966; with bypass). With several sizes it is an approximation, as the
 * exact optimum is infeasible to compute: a good policy may then have more hits.
 */
final class BeladyOptimum {

  private static final int NEVER = Integer.MAX_VALUE;

  private final Trace trace;
  private final int[] nextUses;

  BeladyOptimum(Trace trace) {
    this.trace = trace;
    this.nextUses = new int[trace.length()];
    int[] next = new int[trace.distinctBlocks()];
    Arrays.fill(next, NEVER);
    for (int access = trace.length() - 1; access >= 0; access--) {
      nextUses[access] = next[trace.block(access)];
      next[trace.block(access)] = access;
    }
  }

  /** The hits of a cache of this size. */
  long hits(long capacityBytes) {
    // By next use, which is different for all residents: the farthest is the last.
    TreeSet<Integer> residents = new TreeSet<>();
    long freeBytes = capacityBytes;
    long hits = 0;
    for (int access = 0; access < trace.length(); access++) {
      int sizeBytes = trace.sizeBytes(trace.block(access));
      int next = nextUses[access];
      if (residents.remove(access)) {
        hits++;
        freeBytes += sizeBytes;
      }
      if (next == NEVER) {
        continue;
      }
      while (freeBytes < sizeBytes && !residents.isEmpty() && residents.last() > next) {
        freeBytes += trace.sizeBytes(trace.block(residents.pollLast()));
      }
      if (freeBytes >= sizeBytes) {
        residents.add(next);
        freeBytes -= sizeBytes;
      }
    }
    return hits;
  }
}
