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
package dev.terrace.api;

/** Hits by {@link Access} and block type. Immutable. */
public final class HitCounts {

  private final long[] counts;

  HitCounts(long[] counts) {
    this.counts = counts;
  }

  static int index(Access access, int type) {
    return access.ordinal() * BlockTraits.TYPES + type;
  }

  static int cells() {
    return Access.values().length * BlockTraits.TYPES;
  }

  /** Hits of one access on one block type. */
  public long of(Access access, int type) {
    return counts[index(access, type)];
  }

  /** Hits of one access. */
  public long of(Access access) {
    long sum = 0;
    for (int type = 0; type < BlockTraits.TYPES; type++) {
      sum += of(access, type);
    }
    return sum;
  }

  /** Counted hits on one block type. */
  public long ofType(int type) {
    long sum = 0;
    for (Access access : Access.values()) {
      if (access != Access.UNCOUNTED) {
        sum += of(access, type);
      }
    }
    return sum;
  }

  /** All hits that are reads. */
  public long counted() {
    long sum = 0;
    for (int type = 0; type < BlockTraits.TYPES; type++) {
      sum += ofType(type);
    }
    return sum;
  }
}
