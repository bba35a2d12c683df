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
package dev.terrace.tiered;

import dev.terrace.api.Access;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.FileUsage;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.LatencySummary;
import dev.terrace.api.LongLeases;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import dev.terrace.api.Tier;
import dev.terrace.api.TierListener;
import dev.terrace.api.TierStats;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A tier that never holds a block, as a closed one, for a cache without tiers. It counts nothing.
 *
 * @param <B> the object that readers use
 */
public final class NoTier<B> implements Tier<B> {

  private static final TierStats STATS =
      new TierStats(
          0,
          0,
          0,
          0,
          LongLeases.NONE,
          0,
          0,
          0,
          0,
          new HitRecorder().counts(),
          0,
          0,
          0,
          0,
          1,
          0,
          0,
          Map.of(),
          Map.of(),
          Map.of(),
          LatencySummary.NONE);

  @Override
  public String name() {
    return "none";
  }

  @Override
  public void demoteTo(DemotionTarget<B> target) {}

  @Override
  public void sampleHitsTo(Consumer<String> files) {}

  @Override
  public void divideBy(Function<String, Quota> quotas) {}

  @Override
  public void reportTo(TierListener listener) {}

  @Override
  public boolean hasFreeRoom() {
    return false;
  }

  @Override
  public B get(String file, long offset, Access access) {
    return null;
  }

  @Override
  public boolean contains(String file, long offset) {
    return false;
  }

  @Override
  public Optional<BlockInfo> info(String file, long offset) {
    return Optional.empty();
  }

  @Override
  public boolean head(String file, long offset, ByteBuffer target) {
    return false;
  }

  @Override
  public boolean verify(String file, long offset) {
    return true;
  }

  @Override
  public PutOutcome put(String file, long offset, B block, BlockTraits traits) {
    return PutOutcome.CLOSED;
  }

  @Override
  public boolean evict(String file, long offset) {
    return false;
  }

  @Override
  public int evictFile(String file) {
    return 0;
  }

  @Override
  public int evictRange(String file, long fromOffset, long toOffset) {
    return 0;
  }

  @Override
  public void touch(String file, long offset) {}

  @Override
  public long blockCount() {
    return 0;
  }

  @Override
  public FileUsage usage(String file) {
    return new FileUsage(file, 0, 0);
  }

  @Override
  public void forEachBlock(String file, BlockVisitor visitor) {}

  @Override
  public Iterator<FileUsage> files() {
    return Collections.emptyIterator();
  }

  @Override
  public Iterator<BlockInfo> blocks() {
    return Collections.emptyIterator();
  }

  @Override
  public TierStats stats() {
    return STATS;
  }

  @Override
  public void close() {}
}
