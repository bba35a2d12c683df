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
