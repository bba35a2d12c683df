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
 */
final class RecoveryFence {

  private record Range(String file, long fromOffset, long toOffset) {}

  private final Set<String> files = new HashSet<>();
  private final Set<BlockKey> keys = new HashSet<>();
  private final List<Range> ranges = new ArrayList<>();
  private volatile boolean empty = true;
  private volatile boolean lifted;

  synchronized void evictedFile(String file) {
    if (!lifted) {
      files.add(file);
      empty = false;
    }
  }

  synchronized void evicted(String file, long offset) {
    if (!lifted) {
      keys.add(new BlockKey(file, offset));
      empty = false;
    }
  }

  synchronized void evictedRange(String file, long fromOffset, long toOffset) {
    if (!lifted) {
      ranges.add(new Range(file, fromOffset, toOffset));
      empty = false;
    }
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
    if (files.contains(file) || keys.contains(new BlockKey(file, offset))) {
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
    files.clear();
    keys.clear();
    ranges.clear();
  }
}
