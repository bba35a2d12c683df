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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * S3-FIFO: a small queue that tries blocks out, a main queue, and a memory of keys that failed the
 * trial. Yang, Zhang, Qiu, Yue, Rashmi, "FIFO Queues are All You Need for Cache Eviction", SOSP
 * 2023, algorithm 1, with the sizes given there: a tenth for the small queue, and as many bytes of
 * remembered keys as the main queue holds.
 */
final class S3FifoCache implements ReplayedCache {

  private static final int SMALL_PART = 10;
  private static final int MOST_COUNTED_HITS = 3;
  private static final int HITS_TO_PASS = 2;

  private final long capacityBytes;
  private final long smallCapacityBytes;
  private final Map<Long, Resident> residents = new HashMap<>();
  private final Deque<Resident> small = new ArrayDeque<>();
  private final Deque<Resident> main = new ArrayDeque<>();
  private final Map<Long, Integer> ghosts = new LinkedHashMap<>();
  private long smallBytes;
  private long mainBytes;
  private long ghostBytes;

  S3FifoCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
    this.smallCapacityBytes = capacityBytes / SMALL_PART;
  }

  @Override
  public boolean access(long block, int sizeBytes) {
    Resident resident = residents.get(block);
    if (resident != null) {
      resident.hits = Math.min(resident.hits + 1, MOST_COUNTED_HITS);
      return true;
    }
    if (sizeBytes <= capacityBytes) {
      insert(new Resident(block, sizeBytes));
    }
    return false;
  }

  private void insert(Resident resident) {
    while (smallBytes + mainBytes + resident.sizeBytes > capacityBytes) {
      evict();
    }
    residents.put(resident.block, resident);
    Integer ghost = ghosts.remove(resident.block);
    if (ghost != null) {
      ghostBytes -= ghost;
      pushToMain(resident);
    } else {
      small.addFirst(resident);
      smallBytes += resident.sizeBytes;
    }
  }

  private void pushToMain(Resident resident) {
    main.addFirst(resident);
    mainBytes += resident.sizeBytes;
  }

  private void evict() {
    if ((smallBytes >= smallCapacityBytes && !small.isEmpty()) || main.isEmpty()) {
      evictFromSmall();
    } else {
      evictFromMain();
    }
  }

  private void evictFromSmall() {
    while (!small.isEmpty()) {
      Resident tail = small.removeLast();
      smallBytes -= tail.sizeBytes;
      if (tail.hits < HITS_TO_PASS) {
        residents.remove(tail.block);
        remember(tail);
        return;
      }
      tail.hits = 0;
      pushToMain(tail);
      if (mainBytes > capacityBytes - smallCapacityBytes) {
        evictFromMain();
        return;
      }
    }
  }

  private void evictFromMain() {
    while (true) {
      Resident tail = main.removeLast();
      if (tail.hits == 0) {
        mainBytes -= tail.sizeBytes;
        residents.remove(tail.block);
        return;
      }
      tail.hits--;
      main.addFirst(tail);
    }
  }

  private void remember(Resident gone) {
    ghosts.put(gone.block, gone.sizeBytes);
    ghostBytes += gone.sizeBytes;
    for (var oldest = ghosts.values().iterator();
        ghostBytes > capacityBytes - smallCapacityBytes && oldest.hasNext(); ) {
      ghostBytes -= oldest.next();
      oldest.remove();
    }
  }

  private static final class Resident {
    final long block;
    final int sizeBytes;
    int hits;

    Resident(long block, int sizeBytes) {
      this.block = block;
      this.sizeBytes = sizeBytes;
    }
  }
}
