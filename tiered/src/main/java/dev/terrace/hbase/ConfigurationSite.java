// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.settings.SiteValues;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** The configuration of a region server. */
public final class ConfigurationSite implements SiteValues {

  private final Configuration conf;

  public ConfigurationSite(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Optional<String> get(String key) {
    return Optional.ofNullable(conf.getTrimmed(key)).filter(value -> !value.isEmpty());
  }

  @Override
  public Map<String, String> withPrefix(String prefix) {
    Map<String, String> found = new TreeMap<>();
    for (Map.Entry<String, String> entry : conf) {
      if (entry.getKey().startsWith(prefix)) {
        found.put(entry.getKey(), entry.getValue());
      }
    }
    return found;
  }
}
