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
package dev.terrace.bench.churn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.LoadedCache;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class OccupancyTest {

  @ParameterizedTest
  @EnumSource(names = {"FLOOR", "BUCKET_OFFHEAP", "TERRACE"})
  void addsUpThePayloadOfWhatIsResident(CacheKind kind) throws IOException {
    BlockSet blocks = BlockSet.ofSizes(new int[] {4096, 70_000, 65_536});
    try (LoadedCache loaded = LoadedCache.open(kind, blocks, 64 << 10)) {
      loaded.fill();
      Occupancy occupancy = new Occupancy(loaded.cache(), blocks);
      assertThat(occupancy.sample())
          .isEqualTo(new Occupancy.Sample(3, 4096 + 70_000 + 65_536 + 3 * (33 + 13)));

      loaded.cache().evictBlock(blocks.newKeys()[1]);
      assertThat(occupancy.sample())
          .isEqualTo(new Occupancy.Sample(2, 4096 + 65_536 + 2 * (33 + 13)));
    }
  }
}
