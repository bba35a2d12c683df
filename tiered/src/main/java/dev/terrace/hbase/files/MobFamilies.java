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
package dev.terrace.hbase.files;

import java.util.function.BiPredicate;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/** Tells which blocks may belong to a column family with MOB. Thread-safe. */
public final class MobFamilies {

  private final KnownFiles known;
  private final BiPredicate<String, String> isWithoutMob;

  /**
   * Asks the region server.
   *
   * @param known the regions and families of files whose keys do not tell them
   * @param isWithoutMob whether the region of this encoded name has the family, and without MOB
   */
  public MobFamilies(KnownFiles known, BiPredicate<String, String> isWithoutMob) {
    this.known = known;
    this.isWithoutMob = isWithoutMob;
  }

  /** Whether a block may be of such a family; true also while its family is not known. */
  public boolean mayHave(BlockCacheKey key) {
    String file = StoreFileNames.physical(key.getHfileName());
    String region = KeyRegions.of(key);
    if (region == null) {
      region = known.region(file);
    }
    String family = KeyRegions.family(key);
    if (family == null) {
      family = known.family(file);
    }
    return region == null || family == null || !isWithoutMob.test(region, family);
  }
}
