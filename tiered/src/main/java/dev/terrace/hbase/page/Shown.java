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
package dev.terrace.hbase.page;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Figures as the page shows them. What is not known is a dash. */
final class Shown {

  static final String UNKNOWN = "–";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DATE_AND_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private Shown() {}

  /** A share from 0 to 1. */
  static String percent(double share) {
    return Double.isNaN(share) ? UNKNOWN : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  static String bytes(long bytes) {
    return ByteSize.readable(bytes);
  }

  static String count(long number) {
    return TextTable.count(number);
  }

  /** How often something occurs: with a decimal where it is seldom. */
  static String rate(double aSecond) {
    return String.format(Locale.ROOT, aSecond > 0 && aSecond < 10 ? "%.1f" : "%,.0f", aSecond);
  }

  /** A short time, such as {@code 0.4 µs} or {@code 12 ms}. */
  static String nanos(double nanos) {
    if (Double.isNaN(nanos)) {
      return UNKNOWN;
    }
    if (nanos < 1e6) {
      return decimal(nanos / 1e3) + " µs";
    }
    return nanos < 1e9 ? decimal(nanos / 1e6) + " ms" : decimal(nanos / 1e9) + " s";
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }

  /** A long time, such as {@code 3 h}. */
  static String period(Duration period) {
    long minutes = period.toMinutes();
    if (minutes < 2) {
      return period.toSeconds() + " s";
    }
    if (minutes < 120) {
      return minutes + " min";
    }
    return minutes < 48 * 60 ? minutes / 60 + " h" : minutes / (24 * 60) + " days";
  }

  /** A time, and how long ago it was; null is unknown. */
  static String time(Instant time, Instant now) {
    return time == null
        ? UNKNOWN
        : clock(time, now) + " (" + period(Duration.between(time, now)) + " ago)";
  }

  private static String clock(Instant instant, Instant now) {
    ZonedDateTime time = instant.atZone(ZoneId.systemDefault());
    boolean isToday = time.toLocalDate().equals(now.atZone(time.getZone()).toLocalDate());
    return (isToday ? TIME : DATE_AND_TIME).format(time);
  }

  /** A moment with its date and zone. */
  static String moment(Instant instant) {
    ZonedDateTime time = instant.atZone(ZoneId.systemDefault());
    return DATE_AND_TIME.format(time)
        + " "
        + time.format(DateTimeFormatter.ofPattern("z", Locale.ROOT));
  }
}
