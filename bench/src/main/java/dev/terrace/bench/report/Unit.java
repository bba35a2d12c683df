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

import dev.terrace.bench.ByteSize;
import java.util.Locale;

/** What a column of figures counts, and with that how a figure is written for people. */
public enum Unit {
  /** A text, and no figure. */
  TEXT {
    @Override
    public String format(double figure) {
      throw new IllegalStateException("a column of texts has no figures");
    }
  },
  /** A whole number. */
  COUNT {
    @Override
    public String format(double figure) {
      return String.format(Locale.ROOT, "%,.0f", figure);
    }
  },
  /** A number with three digits that count. */
  NUMBER {
    @Override
    public String format(double figure) {
      return threeDigits(figure);
    }
  },
  /** A number with k, M or G for thousands, millions, thousands of millions. */
  SCALED {
    @Override
    public String format(double figure) {
      double absolute = Math.abs(figure);
      if (absolute >= 999.5e6) {
        return threeDigits(figure / 1e9) + " G";
      }
      if (absolute >= 999.5e3) {
        return threeDigits(figure / 1e6) + " M";
      }
      return absolute >= 999.5 ? threeDigits(figure / 1e3) + " k" : threeDigits(figure);
    }
  },
  /** A share from 0 to 1, written in percent. */
  SHARE {
    @Override
    public String format(double figure) {
      return String.format(Locale.ROOT, "%.1f %%", 100 * figure);
    }
  },
  /** A share that was counted and not sampled: the same run gives the same figure. */
  EXACT_SHARE {
    @Override
    public String format(double figure) {
      return String.format(Locale.ROOT, "%.2f %%", 100 * figure);
    }
  },
  /** A ratio of two figures. */
  TIMES {
    @Override
    public String format(double figure) {
      return figure >= 99.95
          ? String.format(Locale.ROOT, "%,.0f ×", figure)
          : String.format(Locale.ROOT, figure >= 9.995 ? "%.1f ×" : "%.2f ×", figure);
    }
  },
  /** Bytes that may be fewer than one. */
  FEW_BYTES {
    @Override
    public String format(double figure) {
      return String.format(Locale.ROOT, figure < 99.95 ? "%.1f" : "%,.0f", figure);
    }
  },
  /** Bytes. */
  BYTES {
    @Override
    public String format(double figure) {
      return new ByteSize(Math.round(figure)).toString();
    }
  },
  /** Nanoseconds. */
  NANOS {
    @Override
    public String format(double figure) {
      if (figure >= 999.5e6) {
        return threeDigits(figure / 1e9) + " s";
      }
      if (figure >= 999.5e3) {
        return threeDigits(figure / 1e6) + " ms";
      }
      return figure >= 999.5
          ? threeDigits(figure / 1e3) + " µs"
          : String.format(Locale.ROOT, "%.0f ns", figure);
    }
  },
  /** Milliseconds. */
  MILLIS {
    @Override
    public String format(double figure) {
      return figure >= 1000
          ? threeDigits(figure / 1000) + " s"
          : threeDigits(Math.rint(figure * 10) / 10) + " ms";
    }
  },
  /** Seconds. */
  SECONDS {
    @Override
    public String format(double figure) {
      return threeDigits(figure) + " s";
    }
  };

  /** Writes a figure for people. */
  public abstract String format(double figure);

  /** Whether repeating the run gives the same figure, so that any difference counts. */
  boolean isExact() {
    return this == EXACT_SHARE;
  }

  private static String threeDigits(double figure) {
    double absolute = Math.abs(figure);
    if (figure == Math.rint(figure) || absolute >= 99.95) {
      return String.format(Locale.ROOT, "%,.0f", figure);
    }
    if (absolute >= 9.995) {
      return String.format(Locale.ROOT, "%.1f", figure);
    }
    return absolute >= 0.0995
        ? String.format(Locale.ROOT, "%.2f", figure)
        : String.format(Locale.ROOT, "%.3g", figure);
  }
}
