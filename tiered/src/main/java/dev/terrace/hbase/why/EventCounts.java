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

import dev.terrace.api.EvictionCause;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Events of some files, added up.
 *
 * @param recent in the last 10 to 20 minutes
 * @param all since the first event that is remembered
 */
record EventCounts(Map<Event, Long> recent, Map<Event, Long> all) {

  static EventCounts of(Collection<FileEvents.History> histories, long nowMillis) {
    Map<Event, Long> recent = new HashMap<>();
    Map<Event, Long> all = new HashMap<>();
    for (FileEvents.History history : histories) {
      history.counts.forEach(
          (event, count) -> {
            all.merge(event, count.all(), Long::sum);
            recent.merge(event, count.recent(nowMillis), Long::sum);
          });
    }
    recent.values().removeIf(count -> count == 0);
    return new EventCounts(Map.copyOf(recent), Map.copyOf(all));
  }

  /** The sum of the counts of some events. */
  static long sum(Map<Event, Long> counts, Predicate<Event> which) {
    return counts.entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** All events that occurred: those of HBase first, then by place. */
  List<Event> events() {
    return all.keySet().stream()
        .sorted(
            Comparator.comparing((Event event) -> !event.isFromHBase())
                .thenComparing(event -> event.to() != null)
                .thenComparing(Event::place)
                .thenComparing(event -> event.what() instanceof EvictionCause)
                .thenComparing(event -> event.what().name()))
        .toList();
  }
}
