// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import dev.terrace.api.Access;
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockMemory;
import dev.terrace.api.CacheFile;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.HitRecorder;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.log.CorruptionLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Residents;
import dev.terrace.region.read.BlockReader.BlockBytes;
import dev.terrace.region.read.SharedBlocks.Shared;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds a block: the object that readers share, or a new one made from the block's bytes. Offers
 * the blocks that are evicted to the tier below.
 *
 * <p>Any thread may call any method.
 *
 * @param <B> the object that readers use
 */
public final class BlockLookup<B> {

  /*
   * C2 inlines a method of up to 325 bytes of bytecode into each of its callers, with all that it
   * calls, and so compiles all of it again with each caller. get is longer on purpose, so that the
   * whole path of a hit is compiled once.
   */

  /** Number of first hits of a shared object that reach the index, which counts up to three. */
  private static final int EARLY_TOUCHES = 3;

  /** Hits per timed hit, where hits are reads of a file. */
  private static final int FILE_HITS_PER_TIMING = 16;

  /** Number of attempts to read a block that is being moved. */
  private static final int ATTEMPTS = 4;

  private final BlockCodec<B> codec;
  private final Residents residents;
  private final RegionIndex index;
  private final BlockReader reader;
  private final SharedBlocks<B> shared;
  private final HitRecorder hits;
  private final LogContext context;
  private volatile DemotionTarget<B> target;

  /**
   * The lookups of a tier.
   *
   * @param shared null if readers share nothing
   */
  public BlockLookup(
      BlockCodec<B> codec,
      Residents residents,
      BlockReader reader,
      SharedBlocks<B> shared,
      HitRecorder hits,
      LogContext context) {
    this.codec = codec;
    this.residents = residents;
    this.index = residents.index();
    this.reader = reader;
    this.shared = shared;
    this.hits = hits;
    this.context = context;
  }

  public Residents residents() {
    return residents;
  }

  public BlockReader reader() {
    return reader;
  }

  /** The block with one more reference; null on a miss. */
  public B get(CacheFile file, long offset, Access access) {
    int stripe = hits.stripe();
    boolean timed = shared == null ? isTimed() : hits.takeTiming(stripe);
    long start = timed ? System.nanoTime() : 0;
    B block = shared == null ? null : sharedBlock(stripe, file, offset, access);
    boolean isSought = block == null && !context.isClosed();
    for (int attempt = 0; isSought && attempt < ATTEMPTS; attempt++) {
      IndexEntry entry = index.find(file, offset);
      if (entry == null) {
        if (shared != null) {
          // Completes an eviction in progress, so that no reader finds the block after this miss.
          shared.remove(file, offset);
        }
        break;
      }
      BlockBytes bytes = reader.read(entry, BlockReader.Purpose.CALLER);
      if (bytes != null) {
        reader.lend(bytes);
        // A copy is never shared: it would take memory outside any limit.
        block = decode(entry, bytes, shared != null && bytes.inPlace());
        if (block != null) {
          boolean counted = false;
          try {
            if (!index.isClaimed(entry)) {
              residents.claim(entry.file(), true);
            }
            hits.hit(stripe, access, entry.traits().type(), entry.file());
            if (access.isCaching()) {
              index.touch(entry);
            }
            counted = true;
          } finally {
            if (!counted) {
              codec.release(block);
            }
          }
        }
        break;
      }
      // If the block is still there, it cannot be read: its device is out of service or slow.
      isSought = !index.isCurrent(entry);
    }
    if (block == null) {
      context.counters().miss(access);
    } else if (timed) {
      hits.recordNanos(System.nanoTime() - start);
    }
    return block;
  }

  /** The clock is cheap compared with a read, so hits that read a file are timed more often. */
  private static boolean isTimed() {
    return (ThreadLocalRandom.current().nextInt() & (FILE_HITS_PER_TIMING - 1)) == 0;
  }

  private B sharedBlock(int stripe, CacheFile file, long offset, Access access) {
    Shared<B> found = shared.find(file, offset);
    if (found == null) {
      return null;
    }
    B block = null;
    try {
      boolean sampled = hits.hit(stripe, access, found.traits.type(), file);
      if (access.isCaching() && (found.isEarlyTouch(EARLY_TOUCHES) || sampled)) {
        index.touch(found.entry);
      }
      block = found.block();
    } finally {
      if (block == null) {
        codec.release(found.block());
      }
    }
    return block;
  }

  /**
   * Reads a block into an object that is not shared, without counting a hit. Null if it cannot be
   * read.
   */
  public B read(IndexEntry entry) {
    BlockBytes bytes = reader.read(entry, BlockReader.Purpose.DEMOTION);
    return bytes == null ? null : decode(entry, bytes, false);
  }

  public void demoteTo(DemotionTarget<B> receiver) {
    target = receiver;
  }

  /** Offers a block that is about to be evicted to the demotion target, if there is one. */
  public void offer(IndexEntry entry) {
    DemotionTarget<B> receiver = target;
    BlockInfo info = residents.info(entry);
    if (receiver == null || context.isClosed() || !receiver.wants(info)) {
      return;
    }
    B block = read(entry);
    if (block == null) {
      return;
    }
    try {
      receiver.offer(info, block, entry.hits() > 0);
    } finally {
      codec.release(block);
    }
  }

  /** Whether a tier above has the block. */
  public DemotionTarget.Above above(IndexEntry entry) {
    DemotionTarget<B> receiver = target;
    return receiver == null
        ? DemotionTarget.Above.NO
        : receiver.above(entry.file(), entry.offset());
  }

  private B decode(IndexEntry entry, BlockBytes bytes, boolean toShare) {
    boolean decoded = false;
    try {
      Shared<B> sharing = toShare ? new Shared<>(entry, bytes.memory()) : null;
      BlockMemory memory = sharing == null ? bytes.memory() : sharing;
      B block = codec.decode(new ByteBuffer[] {bytes.payload()}, bytes.format(), memory);
      decoded = true;
      if (sharing != null && codec.tryRetain(block)) {
        shared.share(sharing, block, index);
      }
      return block;
    } catch (IOException | RuntimeException e) {
      reader.damaged(entry, CorruptionLog.Reason.NOT_DECODED, "", e);
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
