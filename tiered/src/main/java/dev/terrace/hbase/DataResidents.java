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

import dev.terrace.api.BlockInfo;
import dev.terrace.tiered.TieredCache;
import java.util.Iterator;

/**
 * The resident data blocks, without indexes, bloom filters and the like.
 *
 * @param blocks how many there are
 * @param payloadBytes their encoded bytes
 */
record DataResidents(long blocks, long payloadBytes) {

  /** Goes through all that is cached. */
  static DataResidents count(TieredCache<?> tiers) {
    long blocks = 0;
    long payloadBytes = 0;
    for (Iterator<BlockInfo> all = tiers.blocks(); all.hasNext(); ) {
      BlockInfo block = all.next();
      if (BlockTypes.isData(block.traits().type())) {
        blocks++;
        payloadBytes += block.sizeBytes();
      }
    }
    return new DataResidents(blocks, payloadBytes);
  }
}
