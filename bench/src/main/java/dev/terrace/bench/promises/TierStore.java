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

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.IoLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/** A tier of Terrace. */
final class TierStore implements Store {

  private static final BlockTraits DATA = new BlockTraits(0, Residency.ORDINARY);

  /** Filling as fast as it goes may keep a disk busy for long, which is not what is measured. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

  /** A record's header, its place in a region's table, and rounding. */
  private static final int RECORD_OVERHEAD_BYTES = 192;

  private static final long ROOM_BYTES = 512L << 20;

  private final BlockSet blocks;
  private final Tier<Cacheable> tier;

  TierStore(Tier<Cacheable> tier, BlockSet blocks) {
    this.blocks = blocks;
    this.tier = tier;
  }

  /** A PMem or SSD tier. */
  static Store of(String name, List<Device> devices, BlockSet blocks) {
    return new TierStore(
        RegionTier.open(
            new HBaseBlockCodec(),
            devices,
            RegionConfig.named(name).withLimits(IoLimits.USUAL.withStall(PATIENCE))),
        blocks);
  }

  /** The size of a tier that holds all blocks. */
  static long sizeBytes(BlockSet blocks) {
    return blocks.payloadBytes() + (long) blocks.size() * RECORD_OVERHEAD_BYTES + ROOM_BYTES;
  }

  @Override
  public void put(int block) throws IOException {
    Cacheable made = blocks.newBlock(block);
    AtomicReference<PutOutcome> outcome = new AtomicReference<>();
    Await.until(
        () -> {
          outcome.set(tier.put(blocks.file(block), blocks.offset(block), made, DATA));
          return outcome.get() != PutOutcome.BUSY;
        },
        PATIENCE);
    made.release();
    if (outcome.get() != PutOutcome.STORED) {
      throw new IOException("block " + block + " was not taken: " + outcome);
    }
  }

  @Override
  public boolean hit(int block) {
    return blocks.isHit(block, tier.get(blocks.file(block), blocks.offset(block), Access.CACHING));
  }

  @Override
  public long blocks() {
    return tier.stats().space().blocks();
  }

  @Override
  public boolean isRecovered() {
    return tier.isRecovered();
  }

  @Override
  public long indexOffHeapBytes() {
    return tier instanceof RegionTier<?> region ? region.indexOffHeapBytes() : 0;
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    tier.close();
    if (tier instanceof RegionTier<?> region && !region.awaitReleased(STOP_LIMIT)) {
      throw new IOException("the tier is not stopped after " + STOP_LIMIT.toSeconds() + " s");
    }
  }
}
