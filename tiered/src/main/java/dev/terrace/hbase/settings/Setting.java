// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

/**
 * One key of hbase-site.xml that Terrace reads. {@link TerraceSettings} has all of them.
 *
 * @param key the key
 * @param kind which values it may have
 * @param defaultValue as it would be written
 * @param meaning what it does, as in the README
 * @param live whether a change takes effect without a restart
 */
public record Setting<T>(
    String key, Kind<T> kind, String defaultValue, String meaning, boolean live) {

  /** The value of a text that has no fault. */
  T read(String text) {
    return kind.read(
        text,
        (what, remedy) -> {
          throw new IllegalStateException(key + "=" + text + " " + what);
        });
  }

  /** A value as one would write it. */
  public String text(T value) {
    return kind.write(value);
  }

  /** The key with a value, as messages name it. */
  public String with(T value) {
    return key + "=" + text(value);
  }
}
