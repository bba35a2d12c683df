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

import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A number that Terrace reports, read from counters that exist anyway. JMX calls it, for example,
 * {@code putBytes}. HBase's metrics call it {@code put_bytes_total}, as Prometheus' conventions
 * ask.
 *
 * @param <S> what the number is read from
 * @param words the name without unit, its words joined by underscores
 * @param kind whether it only grows
 * @param unit the unit in JMX; HBase's metrics have times in seconds
 * @param help its meaning, in one or two sentences
 * @param reader reads it, in {@code unit}; NaN if it is not known now
 */
record Figure<S>(String words, Kind kind, Unit unit, String help, Function<S, Number> reader) {

  /** How a number changes. */
  enum Kind {
    /** Up and down. */
    GAUGE,
    /** Up alone, until the cache ends. */
    COUNTER
  }

  /** What a number counts, and how names tell it. */
  enum Unit {
    NONE("", ""),
    BYTES("Bytes", "_bytes"),
    SECONDS("Seconds", "_seconds"),
    NANOSECONDS("Nanos", "_seconds"),
    /** From 0 to 1. */
    RATIO("Ratio", "_ratio");

    private final String jmxSuffix;
    private final String metricSuffix;

    Unit(String jmxSuffix, String metricSuffix) {
      this.jmxSuffix = jmxSuffix;
      this.metricSuffix = metricSuffix;
    }
  }

  private static final Pattern NEXT_WORD = Pattern.compile("_(.)");
  private static final double NANOS_A_SECOND = 1e9;

  String jmxName() {
    return NEXT_WORD.matcher(words).replaceAll(next -> next.group(1).toUpperCase(Locale.ROOT))
        + unit.jmxSuffix;
  }

  String metricName() {
    return words + unit.metricSuffix + (kind == Kind.COUNTER ? "_total" : "");
  }

  /** The number in the unit of {@link #jmxName}; null if it is not known now. */
  Number jmxValue(S source) {
    Number value = reader.apply(source);
    if (Double.isNaN(value.doubleValue())) {
      return null;
    }
    return isWhole() ? (Number) value.longValue() : (Number) value.doubleValue();
  }

  /** Whether {@link #jmxValue} is a {@code Long}; otherwise it is a {@code Double}. */
  boolean isWhole() {
    return unit != Unit.RATIO;
  }

  /** The number in the unit of {@link #metricName}; null if it is not known now. */
  Number metricValue(S source) {
    Number value = jmxValue(source);
    return value != null && unit == Unit.NANOSECONDS
        ? (Number) (value.doubleValue() / NANOS_A_SECOND)
        : value;
  }
}
