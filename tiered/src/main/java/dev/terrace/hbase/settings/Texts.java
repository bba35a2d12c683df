// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;

/** Sentences for operators, from a file of properties. Thread-safe. */
public final class Texts {

  private final Properties texts = new Properties();

  /** Reads the file, which is in the package of the class. */
  public Texts(Class<?> neighbor, String file) {
    try (InputStream in = neighbor.getResourceAsStream(file)) {
      texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + file, e);
    }
  }

  /** The text of a key, with values in it as {@link String#format} puts them. */
  public String get(String key, Object... values) {
    return String.format(Locale.ROOT, Objects.requireNonNull(texts.getProperty(key), key), values);
  }
}
