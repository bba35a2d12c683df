// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.commons.lang3.math.NumberUtils;

/**
 * One key of hbase-site.xml that Terrace reads. {@link TerraceSettings} defines all of them, and
 * the README describes each.
 *
 * @param key the key
 * @param kind the values that it may have
 * @param defaultValue as it would be written in hbase-site.xml
 * @param live whether a change takes effect without a restart
 */
public record Setting<T>(String key, Kind<T> kind, String defaultValue, boolean live) {

  /** Parses a text that has no fault. */
  T read(String text) {
    return kind.read(
        text,
        (fault, values) -> {
          throw new IllegalStateException(key + "=" + text + ": " + fault);
        });
  }

  /** A value as written in hbase-site.xml. */
  public String text(T value) {
    return kind.write(value);
  }

  /** The key with a value, as in messages. */
  public String with(T value) {
    return key + "=" + text(value);
  }

  /** The values that a setting may have, and their text form. */
  interface Kind<T> {

    /** Collects the faults of a text, as {@link Findings} does. */
    interface Faults {
      void add(String id, Object... values);
    }

    /** Parses a text. The value is valid only if the text has no fault. */
    T read(String text, Faults faults);

    /** The text form of a value. */
    default String write(T value) {
      return value.toString();
    }

    /** {@code true} or {@code false}. */
    Kind<Boolean> FLAG =
        (text, faults) -> {
          if (!text.equals("true") && !text.equals("false")) {
            faults.add("not-a-flag");
          }
          return text.equals("true");
        };

    /** A number from 0 to 1. */
    Kind<Double> SHARE =
        (text, faults) -> {
          double share = NumberUtils.toDouble(text, -1);
          if (share >= 0 && share <= 1) {
            return share;
          }
          faults.add("not-a-share");
          return 0.0;
        };

    /** A number of bytes in a range, or 0. */
    record Size(long min, long max) implements Kind<Long> {

      @Override
      public Long read(String text, Faults faults) {
        long bytes = ByteSize.parse(text);
        if (bytes < 0) {
          faults.add("not-a-size");
        } else if (bytes > 0 && bytes < min) {
          faults.add("too-small", meant(text), ByteSize.readable(min), "");
        } else if (bytes > max) {
          faults.add("too-large", ByteSize.readable(max));
        }
        return bytes;
      }

      @Override
      public String write(Long bytes) {
        return ByteSize.written(bytes);
      }
    }

    /** What a size that is too small may mean: a number without a unit most likely lacks one. */
    static String meant(String text) {
      boolean hasUnit = !Character.isDigit(text.charAt(text.length() - 1));
      return hasUnit ? "" : "did you mean " + text + "g? ";
    }

    /** One constant, in lower case: {@code encrypted-families} for {@code ENCRYPTED_FAMILIES}. */
    record Choice<E extends Enum<E>>(Class<E> type) implements Kind<E> {

      @Override
      public E read(String text, Faults faults) {
        List<E> values = List.of(type.getEnumConstants());
        for (E each : values) {
          if (write(each).equals(text)) {
            return each;
          }
        }
        String texts = values.stream().map(this::write).collect(Collectors.joining(", "));
        faults.add("unknown-value", texts);
        return values.get(0);
      }

      @Override
      public String write(E value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
      }
    }

    /** Directories, or {@code none}. */
    Kind<List<Path>> PATHS =
        new Kind<>() {
          private static final String NONE = "none";

          @Override
          public List<Path> read(String text, Faults faults) {
            List<Path> paths = new ArrayList<>();
            for (String part : text.equals(NONE) ? new String[0] : text.split(",", -1)) {
              Path path = path(part.trim());
              if (path == null) {
                faults.add("relative-path", part.trim());
              } else if (!isPlain(path)) {
                faults.add("odd-path", path);
              } else if (paths.contains(path)) {
                faults.add("path-twice", path);
              } else {
                paths.add(path);
              }
            }
            return paths;
          }

          @Override
          public String write(List<Path> paths) {
            return paths.isEmpty()
                ? NONE
                : paths.stream().map(Path::toString).collect(Collectors.joining(","));
          }
        };

    private static Path path(String text) {
      try {
        Path path = Path.of(text);
        return path.isAbsolute() ? path.normalize() : null;
      } catch (InvalidPathException e) {
        return null;
      }
    }

    /** Whether a list that contains the path is parsed back to the same path. */
    private static boolean isPlain(Path path) {
      String text = path.toString();
      return text.chars().noneMatch(Character::isISOControl) && text.equals(text.trim());
    }
  }
}
