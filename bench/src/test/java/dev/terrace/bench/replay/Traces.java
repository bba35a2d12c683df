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

import java.util.Random;

/** Small traces for tests. */
final class Traces {

  static final int BLOCK_BYTES = 64 * 1024;

  private Traces() {}

  /** Accesses to these keys, to blocks of 64 KB. */
  static Trace of(long... keys) {
    Trace.Builder trace = new Trace.Builder();
    for (long key : keys) {
      trace.add(key, BLOCK_BYTES);
    }
    return trace.build();
  }

  /** Random accesses, the lower keys more often. */
  static Trace skewed(int accesses, int blocks, long seed) {
    Random random = new Random(seed);
    Trace.Builder trace = new Trace.Builder();
    for (int access = 0; access < accesses; access++) {
      double uniform = random.nextDouble();
      trace.add((long) (blocks * uniform * uniform * uniform), BLOCK_BYTES);
    }
    return trace.build();
  }

  /** Random accesses to blocks of several sizes. */
  static Trace ofSeveralSizes(int accesses, int blocks, long seed) {
    Random random = new Random(seed);
    Trace.Builder trace = new Trace.Builder();
    for (int access = 0; access < accesses; access++) {
      double uniform = random.nextDouble();
      int key = (int) (blocks * uniform * uniform);
      trace.add(key, 1000 + 37 * (key % 11));
    }
    return trace.build();
  }
}
