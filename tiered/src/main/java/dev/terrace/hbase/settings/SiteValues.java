// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.commons.lang3.math.NumberUtils;
import org.apache.hadoop.conf.Configuration;

/** The properties of hbase-site.xml. A malformed number counts as absent. */
public record SiteValues(Configuration conf) {

  /** The trimmed value of a key, with its variables expanded; empty if there is none. */
  public Optional<String> get(String key) {
    return Optional.ofNullable(conf.getTrimmed(key)).filter(value -> !value.isEmpty());
  }

  /** All properties, with their values as they are written. */
  Stream<Map.Entry<String, String>> all() {
    return StreamSupport.stream(conf.spliterator(), false);
  }

  public String get(String key, String otherwise) {
    return get(key).orElse(otherwise);
  }

  public boolean isTrue(String key) {
    return get(key).filter("true"::equalsIgnoreCase).isPresent();
  }

  public double number(String key, double otherwise) {
    return NumberUtils.toDouble(get(key, ""), otherwise);
  }

  long wholeNumber(String key, long otherwise) {
    return NumberUtils.toLong(get(key, ""), otherwise);
  }
}
