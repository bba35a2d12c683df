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
package dev.terrace.bench.memory;

import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.time.Duration;

/**
 * Fills a store.
 *
 * @param kind which store
 * @param directory where its files go
 * @param blocks how many
 * @param payloadBytes of each
 */
record Fill(StoreKind kind, String directory, int blocks, int payloadBytes)
    implements OwnJvm.Task<Filled> {

  @Override
  public Filled run() throws IOException, InterruptedException {
    Footprint.logOnce();
    SmallBlocks all = new SmallBlocks(blocks, payloadBytes);
    Store store = kind.open(directory, all);
    Footprint.await(store::isRecovered, kind.title() + " is not recovered, empty as it is");
    long before = Footprint.usedHeapBytes();
    long start = System.nanoTime();
    for (int block = 0; block < blocks; block++) {
      store.put(block);
    }
    Footprint.await(
        () -> store.blocks() == blocks, kind.title() + " does not hold all blocks that were put");
    long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
    Filled filled =
        new Filled(
            store.blocks(), Footprint.usedHeapBytes() - before, store.indexOffHeapBytes(), millis);
    store.stop();
    return filled;
  }
}
