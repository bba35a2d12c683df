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
package dev.terrace.bench.promises;

import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.io.hfile.BlockCache;

/**
 * A run of churn: blocks of mixed sizes come and go in a cache that has room for a quarter of them.
 *
 * @param cache which cache
 * @param capacityBytes the bytes it is configured with
 * @param seconds how long it runs, from when the cache has been filled several times over
 * @param threads how many threads get and put
 */
record Churn(CacheKind cache, long capacityBytes, int seconds, int threads)
    implements OwnJvm.Task<Traffic.Seen> {

  /** The bytes put before the time begins, as a multiple of the capacity. */
  static final int WARMUP_PER_CAPACITY = 4;

  static final long SEED = 42;

  /** The bytes of all blocks there are, as a multiple of the capacity. */
  private static final int DATA_PER_CAPACITY = 4;

  private static final int COMMON_BLOCK_SIZE_BYTES = 64 << 10;

  /** BucketCache's default sizes, in KB, and two more without which it cannot take large blocks. */
  private static final List<Integer> BUCKET_SIZES_KB =
      List.of(5, 9, 17, 33, 41, 49, 57, 65, 97, 129, 193, 257, 385, 513, 769, 1025);

  @Override
  public Traffic.Seen run() throws IOException, InterruptedException, ExecutionException {
    BlockSet blocks =
        BlockSet.ofSizes(new SizeMixture(SEED).drawTotal(DATA_PER_CAPACITY * capacityBytes));
    try (Scratch scratch = Scratch.create()) {
      BlockCache opened =
          cache.open(
              new CacheKind.Spec(
                  capacityBytes,
                  COMMON_BLOCK_SIZE_BYTES,
                  BUCKET_SIZES_KB.stream().map(kilobytes -> kilobytes << 10).toList(),
                  scratch.fileDirectory(),
                  scratch.pmemDirectory()));
      try {
        return new Traffic(this, opened, blocks).run();
      } finally {
        opened.shutdown();
      }
    }
  }
}
