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

import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/**
 * A run of churn.
 *
 * @param cache which cache
 * @param capacityBytes the bytes it is configured with
 * @param seconds how long it runs, from when the cache has been filled several times over
 * @param threads how many threads get and put
 */
record ChurnSettings(CacheKind cache, long capacityBytes, int seconds, int threads)
    implements OwnJvm.Task<ChurnResult> {

  /** The bytes of all blocks there are, as a multiple of the capacity. */
  static final int DATA_PER_CAPACITY = 4;

  /** The bytes put before the time begins, as a multiple of the capacity. */
  static final int WARMUP_PER_CAPACITY = 4;

  private static final long LEAST_CAPACITY_BYTES = 128L << 20;

  ChurnSettings {
    if (capacityBytes < LEAST_CAPACITY_BYTES) {
      throw new IllegalArgumentException(
          "capacity="
              + capacityBytes
              + ": must be at least "
              + LEAST_CAPACITY_BYTES
              + ", since BucketCache needs some buckets of each size");
    }
    if (seconds < 1) {
      throw new IllegalArgumentException("seconds=" + seconds + ": must be at least 1");
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads=" + threads + ": must be at least 1");
    }
  }

  @Override
  public ChurnResult run() throws IOException, InterruptedException, ExecutionException {
    return new Churn(this, System.err).run();
  }
}
