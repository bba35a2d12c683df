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

import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.tiered.TieredCache;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the blocks of cold files leave full tiers, so that they leave before all others. A tier with
 * free room keeps them.
 */
final class ColdFiles {

  private static final Logger LOG = LoggerFactory.getLogger(ColdFiles.class);

  private final TieredCache<?> tiers;
  private final Supplier<Set<String>> coldFiles;

  /**
   * Looks at nothing yet.
   *
   * @param coldFiles the names of the store files whose data HBase calls cold
   */
  ColdFiles(TieredCache<?> tiers, Supplier<Set<String>> coldFiles) {
    this.tiers = tiers;
    this.coldFiles = coldFiles;
  }

  /** Evicts them. To be called every few seconds, by one thread. */
  void leave() {
    if (!tiers.hasFullTier()) {
      return;
    }
    Set<String> files =
        coldFiles.get().stream().map(StoreFileNames::physical).collect(Collectors.toSet());
    if (files.isEmpty()) {
      return;
    }
    tiers
        .evictFromFullTiers(files)
        .forEach(
            (tier, blocks) ->
                LOG.info("Cold files left the full tier {}: blocks={}", tier, blocks));
  }
}
