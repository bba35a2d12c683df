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
package dev.terrace.region;

import dev.terrace.api.BlockKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What was evicted while a recovery was going on, and thus must not come back through it.
 *
 * <p>An eviction is noted here before it looks at the index. A recovery puts a block into the index
 * and asks here afterwards. So whichever comes second sees the other.
 *
 * <p>A recovery takes as long as its devices are out of service. When there is more to note than is
 * worth the memory, nothing comes back any more.
 */
final class RecoveryFence {

  private record Range(String file, long fromOffset, long toOffset) {}

  /** Evictions that are noted at most: some tens of megabytes. */
  static final int MOST_NOTES = 1 << 17;

  private final Set<String> files = new HashSet<>();
  private final Set<BlockKey> keys = new HashSet<>();
  private final List<Range> ranges = new ArrayList<>();
  private volatile boolean empty = true;
  private boolean overflowed;
  private volatile boolean lifted;

  synchronized void evictedFile(String file) {
    if (isNoting()) {
      files.add(file);
    }
  }

  synchronized void evicted(String file, long offset) {
    if (isNoting()) {
      keys.add(new BlockKey(file, offset));
    }
  }

  synchronized void evictedRange(String file, long fromOffset, long toOffset) {
    if (isNoting()) {
      ranges.add(new Range(file, fromOffset, toOffset));
    }
  }

  private boolean isNoting() {
    if (lifted || overflowed) {
      return false;
    }
    empty = false;
    if (files.size() + keys.size() + ranges.size() == MOST_NOTES) {
      overflowed = true;
      forget();
    }
    return !overflowed;
  }

  private void forget() {
    files.clear();
    keys.clear();
    ranges.clear();
  }

  /** Whether a recovery is going on, so that evictions must be noted. */
  boolean isUp() {
    return !lifted;
  }

  /** Whether a block that was recovered is to be dropped again. */
  boolean keepsOut(String file, long offset) {
    return !empty && isEvicted(file, offset);
  }

  private synchronized boolean isEvicted(String file, long offset) {
    if (overflowed || files.contains(file) || keys.contains(new BlockKey(file, offset))) {
      return true;
    }
    for (Range range : ranges) {
      if (range.file.equals(file) && offset >= range.fromOffset && offset <= range.toOffset) {
        return true;
      }
    }
    return false;
  }

  /** Ends it: all is recovered. */
  synchronized void lift() {
    lifted = true;
    empty = true;
    forget();
  }
}
