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
package dev.terrace.dram;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.Tier;
import dev.terrace.api.TierContractTest;
import java.util.IdentityHashMap;
import java.util.Map;

/** The DRAM tier does what every tier must do. */
class DramTierContractTest extends TierContractTest {

  private static final long CAPACITY_BYTES = 4 << 20;

  private final Map<Tier<CountedBlock>, LimitedAllocator> sources = new IdentityHashMap<>();

  @Override
  protected Tier<CountedBlock> newTier(CountedBlockCodec codec, long capacityBytes) {
    LimitedAllocator source = new LimitedAllocator(capacityBytes);
    Tier<CountedBlock> tier = new DramTier<>(codec, new DramConfig(capacityBytes, 0.2), source);
    sources.put(tier, source);
    return tier;
  }

  @Override
  protected long capacityBytes() {
    return CAPACITY_BYTES;
  }

  @Override
  protected int largestBlockBytes() {
    return (int) (CAPACITY_BYTES / 8);
  }

  @Override
  protected boolean hasReturnedMemory(Tier<CountedBlock> closed) {
    return sources.get(closed).usedBytes() == 0;
  }
}
