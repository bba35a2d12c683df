// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.util.Map;
import java.util.Optional;

/** The properties of hbase-site.xml, however they were read. */
public interface SiteValues {

  /** The trimmed value of a key, with its variables replaced; empty if it has none. */
  Optional<String> get(String key);

  /** The properties whose keys start with a prefix. */
  Map<String, String> withPrefix(String prefix);

  /** The value of a key, or a default. */
  default String get(String key, String otherwise) {
    return get(key).orElse(otherwise);
  }

  /** Whether a key has the value {@code true}. */
  default boolean isTrue(String key) {
    return get(key).filter("true"::equalsIgnoreCase).isPresent();
  }

  /** A number; the default if there is none. */
  default double number(String key, double otherwise) {
    try {
      return get(key).map(Double::parseDouble).orElse(otherwise);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  /** A whole number; the default if there is none. */
  default long wholeNumber(String key, long otherwise) {
    try {
      return get(key).map(Long::parseLong).orElse(otherwise);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
