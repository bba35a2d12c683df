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
package dev.terrace.hbase.why;

import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.hbase.files.Owner;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What became of the blocks of one file, and which family it is of. Thread-safe. */
final class FileHistory {

  private final String file;
  private final long firstMillis;
  private final Map<Event, RecentCount> counts = new ConcurrentHashMap<>();
  private volatile Owner.Place place;

  FileHistory(String file, long firstMillis) {
    this.file = file;
    this.firstMillis = firstMillis;
  }

  void count(Event event, int blocks, long millis) {
    RecentCount count = counts.get(event);
    if (count == null) {
      count = counts.computeIfAbsent(event, added -> new RecentCount());
    }
    count.add(blocks, millis);
  }

  /** Learns the file's family, if it is not known yet. It is forgotten elsewhere with the file. */
  void learn(KnownFiles known) {
    Owner.Place before = place;
    if (before == null || before.family() == null) {
      Owner.Place now = known.place(file);
      place = now == null ? before : now;
    }
  }

  String file() {
    return file;
  }

  /** Null if it is not known. */
  Owner.Place place() {
    return place;
  }

  long firstMillis() {
    return firstMillis;
  }

  Map<Event, RecentCount> counts() {
    return counts;
  }
}
