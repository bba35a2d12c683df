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
package dev.terrace.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.junit.jupiter.api.Test;

final class NewBlocksTest {

  private static final int BLOCK_SIZE_BYTES = 4096;

  @Test
  void everyBlockIsNewAlsoAfterAnEviction() throws IOException {
    BlockSet room = BlockSet.ofOneSize(4096, BLOCK_SIZE_BYTES);
    try (LoadedCache loaded = LoadedCache.open(CacheKind.TERRACE, room, BLOCK_SIZE_BYTES)) {
      BlockCache cache = loaded.cache();
      NewBlocks blocks = new NewBlocks(CacheKind.TERRACE, BLOCK_SIZE_BYTES);
      put(1300, blocks, cache);
      assertThat(cache).hasSize(1300);

      blocks.evictAll(cache);
      assertThat(cache).isEmpty();

      put(10, blocks, cache);
      assertThat(cache).hasSize(10);
      assertThat(LoadedCache.refusals(cache)).isZero();
    }
  }

  private static void put(int blocks, NewBlocks created, BlockCache cache) {
    for (int i = 0; i < blocks; i++) {
      created.putNext(cache);
    }
  }
}
