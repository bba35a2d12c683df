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

/** A cache that a trace is replayed through. Used by one thread. */
@FunctionalInterface
interface ReplayedCache {
  /**
   * Looks a block up and, on a miss, brings it as a reader of the file behind the cache would.
   *
   * @param block the block's number
   * @param sizeBytes its size in the trace; always the same for a block
   * @return whether it was a hit
   */
  boolean access(int block, int sizeBytes);

  /** Sends all accesses of a trace through it, and counts the hits. */
  default long hits(Trace trace) {
    long hits = 0;
    for (int access = 0; access < trace.length(); access++) {
      int block = trace.block(access);
      hits += access(block, trace.sizeBytes(block)) ? 1 : 0;
    }
    return hits;
  }
}
