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

import dev.terrace.api.Access;
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierCounters;
import dev.terrace.region.SharedBlocks.Shared;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.index.RegionIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * Finds a block: the object that readers share, or a new one made from the block's bytes.
 *
 * <p>Any thread may call any method.
 *
 * @param <B> the object that readers use
 */
final class BlockLookup<B> {

  /** Number of first hits of a shared object that go to the index, which counts up to three. */
  private static final int EARLY_TOUCHES = 3;

  /** Number of attempts at a block that is moved meanwhile. */
  private static final int ATTEMPTS = 4;

  private final BlockCodec<B> codec;
  private final Residents residents;
  private final RegionIndex index;
  private final BlockReader reader;
  private final SharedBlocks<B> shared;
  private final HitRecorder hits;
  private final TierCounters counters;
  private final RateLimitedLog log;
  private final BooleanSupplier closed;

  /**
   * The lookups of a tier.
   *
   * @param shared null if readers share nothing
   * @param closed whether the tier is closed
   */
  BlockLookup(
      BlockCodec<B> codec,
      Residents residents,
      BlockReader reader,
      SharedBlocks<B> shared,
      HitRecorder hits,
      TierCounters counters,
      RateLimitedLog log,
      BooleanSupplier closed) {
    this.codec = codec;
    this.residents = residents;
    this.index = residents.index();
    this.reader = reader;
    this.shared = shared;
    this.hits = hits;
    this.counters = counters;
    this.log = log;
    this.closed = closed;
  }

  /** The block with one more reference; null on a miss. */
  B get(String file, long offset, Access access) {
    int stripe = hits.stripe();
    if (!hits.takeTiming(stripe)) {
      return lookup(stripe, file, offset, access);
    }
    long start = System.nanoTime();
    B block = lookup(stripe, file, offset, access);
    if (block != null) {
      hits.recordNanos(System.nanoTime() - start);
    }
    return block;
  }

  private B lookup(int stripe, String file, long offset, Access access) {
    if (shared != null) {
      Shared<B> found = shared.find(file, offset);
      if (found != null) {
        boolean sampled = hits.hit(stripe, access, found.traits.type(), file);
        if (access.isCaching() && (found.isEarlyTouch(EARLY_TOUCHES) || sampled)) {
          index.touch(file, offset);
        }
        return found.block();
      }
    }
    B block = closed.getAsBoolean() ? null : find(stripe, file, offset, access);
    if (block == null) {
      counters.miss(access);
    }
    return block;
  }

  private B find(int stripe, String file, long offset, Access access) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      IndexEntry entry = index.find(file, offset);
      if (entry == null) {
        unshare(file, offset);
        return null;
      }
      BlockBytes bytes = reader.read(entry, BlockReader.Purpose.CALLER);
      BlockBytes plain = bytes == null ? null : reader.plain(entry, bytes);
      if (plain != null) {
        return found(stripe, entry, plain, access);
      }
      if (index.isCurrent(entry)) {
        // It is there and cannot be read, because its device is out of service or slow.
        return null;
      }
    }
    return null;
  }

  /** Completes an eviction in progress, so that no reader finds a block after it missed it. */
  private void unshare(String file, long offset) {
    if (shared != null) {
      shared.remove(file, offset);
    }
  }

  private B found(int stripe, IndexEntry entry, BlockBytes bytes, Access access) {
    if (!index.isClaimed(entry.file())) {
      residents.claim(entry.file());
    }
    // A copy is never shared: it would take memory that no limit knows.
    B block = decode(entry, bytes, shared != null && bytes.areInPlace());
    if (block == null) {
      return null;
    }
    hits.hit(stripe, access, entry.traits().type(), entry.file());
    if (access.isCaching()) {
      index.touch(entry);
    }
    return block;
  }

  /**
   * Reads a block into an object that is not shared, without counting a hit. Null if it cannot be
   * read.
   */
  B read(IndexEntry entry) {
    BlockBytes bytes = reader.read(entry, BlockReader.Purpose.LOG);
    BlockBytes plain = bytes == null ? null : reader.plain(entry, bytes);
    return plain == null ? null : decode(entry, plain, false);
  }

  private B decode(IndexEntry entry, BlockBytes bytes, boolean toShare) {
    boolean decoded = false;
    try {
      Shared<B> sharing =
          toShare
              ? new Shared<>(
                  entry.file(), entry.offset(), entry.address(), entry.traits(), bytes.memory())
              : null;
      BlockMemory memory = sharing == null ? bytes.memory() : sharing;
      B block = codec.decode(new ByteBuffer[] {bytes.payload()}, bytes.format(), memory);
      decoded = true;
      if (sharing != null && codec.tryRetain(block)) {
        shared.share(sharing, block, index, entry);
      }
      return block;
    } catch (IOException | RuntimeException e) {
      log.warn("Cannot be decoded and is dropped: " + entry.file() + " @ " + entry.offset(), e);
      residents.drop(entry.file(), entry.offset(), entry.address(), EvictionCause.DAMAGE);
      return null;
    } catch (InternalError e) {
      if (decoded) {
        throw e;
      }
      reader.failed(entry, e);
      return null;
    } finally {
      if (!decoded) {
        bytes.release();
      }
    }
  }
}
