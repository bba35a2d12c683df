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
package dev.terrace.bench.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * A column of a {@link Table}.
 *
 * @param key its name in JSON
 * @param title its name for people
 * @param unit what it counts
 * @param better which way is better
 * @param spread how several measurements of one figure are shown
 */
public record Column(String key, String title, Unit unit, Better better, Spread spread) {

  /** Which way is better. */
  public enum Better {
    MORE,
    LESS,
    NEITHER
  }

  /** The spread that a table shows beside the median of several measurements. */
  public enum Spread {
    NOTHING,
    /** Half the range from the least to the greatest, in percent of the median. */
    HALF_RANGE,
    /** The least and the greatest. */
    RANGE
  }

  /** Takes what a file leaves out for what is usual. */
  public Column {
    title = title == null ? key : title;
    unit = unit == null ? Unit.NUMBER : unit;
    better = better == null ? Better.NEITHER : better;
    spread = spread == null ? Spread.NOTHING : spread;
  }

  /** A column of texts. */
  public static Column text(String title) {
    return new Column(title, title, Unit.TEXT, Better.NEITHER, Spread.NOTHING);
  }

  /** Columns of texts. */
  public static List<Column> texts(String... titles) {
    return Stream.of(titles).map(Column::text).toList();
  }

  /** A column of figures. */
  public static Column of(String key, String title, Unit unit) {
    return new Column(key, title, unit, Better.NEITHER, Spread.NOTHING);
  }

  /** The same where more is better. */
  public Column moreIsBetter() {
    return new Column(key, title, unit, Better.MORE, spread);
  }

  /** The same where less is better. */
  public Column lessIsBetter() {
    return new Column(key, title, unit, Better.LESS, spread);
  }

  /** The same, showing more of several measurements than their median. */
  public Column with(Spread shown) {
    return new Column(key, title, unit, better, shown);
  }

  boolean isText() {
    return unit == Unit.TEXT;
  }

  /** The title, and which way is better. */
  String axis() {
    return switch (better) {
      case MORE -> title + " (more is better)";
      case LESS -> title + " (less is better)";
      case NEITHER -> title;
    };
  }
}
