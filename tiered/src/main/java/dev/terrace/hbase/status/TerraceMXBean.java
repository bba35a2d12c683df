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
package dev.terrace.hbase.status;

import java.util.Map;

/**
 * Terrace's JMX bean, as {@code dev.terrace:type=BlockCache,name=...}; HBase's {@code /jmx} page
 * shows it, too. {@link TerraceBean} adds the attribute {@code Tiers}.
 */
public interface TerraceMXBean {

  /** The version of Terrace. */
  String getVersion();

  /** The entry point in use. */
  String getEntryPoint();

  /** The line that was logged at the start. */
  String getStartLine();

  /** The settings in effect, by key. */
  Map<String, String> getSettings();

  /**
   * What moved between tiers so far, by "from to outcome" the blocks, and by "from to bytes" the
   * bytes of those that arrived.
   */
  Map<String, Long> getMoves();

  /** Cached bytes by encoded region name, as far as HBase tells which region a file belongs to. */
  Map<String, Long> getCachedRegions();

  /** Bytes in each tier by encoded region name; a block may be in several tiers. */
  Map<String, Map<String, Long>> getCachedRegionsByTier();

  /** The same by table, with its namespace, as far as HBase tells where a file lies. */
  Map<String, Map<String, Long>> getCachedTablesByTier();

  /**
   * Cached bytes by file, the largest first. An operation, since there may be 100,000 files.
   *
   * @param most how many files at most, from 1 to 10,000
   */
  Map<String, Long> cachedFiles(int most);

  /**
   * Bytes in each tier by file, the largest first; a block may be in several tiers.
   *
   * @param most how many files of each tier at most, from 1 to 10,000
   */
  Map<String, Map<String, Long>> cachedFilesByTier(int most);
}
