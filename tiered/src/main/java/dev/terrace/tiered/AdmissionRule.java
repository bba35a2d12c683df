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

/** What a block must show to be written below, once there is no free room. */
enum AdmissionRule {
  /**
   * It was offered before, not long ago, and it is one of a few: where the blocks that are there
   * come back as surely, each that comes in costs one of them.
   */
  FEW {
    @Override
    boolean admits(boolean seen, boolean frequent, long turn) {
      return seen && ((turn * GOLDEN) >>> ONE_IN_EIGHT) == 0;
    }
  },
  /** It occurred more often lately than what leaves the tier. */
  FREQUENT {
    @Override
    boolean admits(boolean seen, boolean frequent, long turn) {
      return frequent;
    }
  },
  /** It was offered before, not long ago: it was read again in between. */
  SEEN {
    @Override
    boolean admits(boolean seen, boolean frequent, long turn) {
      return seen;
    }
  },
  /** Nothing. */
  ALL {
    @Override
    boolean admits(boolean seen, boolean frequent, long turn) {
      return true;
    }
  };

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int ONE_IN_EIGHT = Long.SIZE - 3;

  /**
   * Whether a block may come in.
   *
   * @param seen whether it was offered before, not long ago
   * @param frequent whether it occurred more often than what leaves, see {@link FrequencyBar}
   * @param turn another number for each offer, counted up
   */
  abstract boolean admits(boolean seen, boolean frequent, long turn);
}
