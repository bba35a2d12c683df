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
package dev.terrace.region;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.TierExit;
import dev.terrace.region.index.IndexEntry;
import java.util.function.BooleanSupplier;

/**
 * Shows the blocks that a reclaim drops to the tier's exit, if there is one.
 *
 * @param <B> the object that readers use
 */
final class Departures<B> implements Reclaimer.Exit {

  private final BlockCodec<B> codec;
  private final BlockLookup<B> lookup;
  private final BooleanSupplier closed;
  private volatile TierExit<B> exit;

  /**
   * Departures that nobody is told of yet.
   *
   * @param closed whether the tier is, so that nothing is told any more
   */
  Departures(BlockCodec<B> codec, BlockLookup<B> lookup, BooleanSupplier closed) {
    this.codec = codec;
    this.lookup = lookup;
    this.closed = closed;
  }

  /** Sets the exit that is offered blocks from now on. */
  void exitTo(TierExit<B> offered) {
    exit = offered;
  }

  @Override
  public boolean announce(IndexEntry entry) {
    TierExit<B> offered = exit;
    if (offered == null || closed.getAsBoolean() || !offered.wants(entry.file(), entry.offset())) {
      return false;
    }
    B block = lookup.read(entry);
    if (block == null) {
      return false;
    }
    try {
      offered.leaving(entry.file(), entry.offset(), block, entry.traits(), entry.hits() > 0);
    } finally {
      codec.release(block);
    }
    return true;
  }

  @Override
  public TierExit.Above above(IndexEntry entry) {
    TierExit<B> offered = exit;
    return offered == null ? TierExit.Above.NO : offered.above(entry.file(), entry.offset());
  }

  @Override
  public void takeBack(IndexEntry entry) {
    exit.evictedMeanwhile(entry.file(), entry.offset());
  }
}
