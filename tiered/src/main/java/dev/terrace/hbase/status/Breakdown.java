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
package dev.terrace.hbase.status;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A counter for each constant of an enum, such as evictions by cause.
 *
 * @param <S> what the counters are read from
 * @param <E> the enum
 * @param name the name in JMX, and the first word of each name in HBase's metrics
 * @param label what tells the counters apart
 * @param help their meaning, in one or two sentences
 * @param constants the constants that are counted
 * @param reader reads the counters; those of constants that did not occur may be absent
 */
record Breakdown<S, E extends Enum<E>>(
    String name, String label, String help, List<E> constants, Function<S, Map<E, Long>> reader) {

  /** The counters by constant, without those that are zero. */
  Map<String, Long> jmxValue(S source) {
    Map<String, Long> named = new TreeMap<>();
    reader.apply(source).forEach((constant, count) -> named.put(constant.name(), count));
    return named;
  }

  String metricName(E constant) {
    return name + "_" + constant.name().toLowerCase(Locale.ROOT) + "_total";
  }

  long metricValue(S source, E constant) {
    return reader.apply(source).getOrDefault(constant, 0L);
  }
}
