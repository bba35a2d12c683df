// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import dev.terrace.api.Access;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.tiered.TieredCache;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.AtomicLongMap;

/**
 * Copies cached blocks for another region server. It leaves no trace in the tiers: no hit, no
 * promotion. Never waits: beyond its rate, or while handlers are short, it is busy. Thread-safe.
 */
final class BlockGiver {

  /** Maximum bytes per second given, to all servers together. */
  static final long BYTES_PER_SECOND = 400L << 20;

  /** How far ahead of the rate an answer may be. */
  static final Duration BURST = Duration.ofMillis(50);

  /** Maximum number of concurrent requests. Bounds the memory of answers. */
  static final int MAX_REQUESTS = 4;

  /** After this time a request gets the blocks that have been read. */
  private static final long MAX_NANOS = Duration.ofMillis(300).toNanos();

  private final TieredCache<?> tiers;
  private final AtomicLongMap<PeerFigure> stats;
  private final long bytesPerSecond;
  private final Semaphore requests = new Semaphore(MAX_REQUESTS);
  private final AtomicLong paidUntilNanos = new AtomicLong(System.nanoTime());

  BlockGiver(TieredCache<?> tiers, AtomicLongMap<PeerFigure> stats, long bytesPerSecond) {
    this.tiers = tiers;
    this.stats = stats;
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Answers a request.
   *
   * @param mayLeave whether a file's blocks may be sent to the caller
   * @param hasRoom whether the server's handlers have nothing more urgent to do
   * @throws CallQueueTooBigException if the server is busy
   */
  ByteBuffer answer(List<BlockKey> blocks, Predicate<CacheFile> mayLeave, boolean hasRoom)
      throws CallQueueTooBigException {
    boolean isOverRate = paidUntilNanos.get() - System.nanoTime() > BURST.toNanos();
    if (!hasRoom || isOverRate || !requests.tryAcquire()) {
      stats.addAndGet(PeerFigure.REQUESTS_BUSY, 1);
      throw new CallQueueTooBigException("no blocks now: more urgent calls, or over the rate");
    }
    try {
      ByteBuffer answer = ByteBuffer.allocate(BlockMessages.MAX_ANSWER_BYTES);
      collect(blocks, mayLeave, answer);
      long price = TimeUnit.SECONDS.toNanos(answer.position()) / bytesPerSecond;
      paidUntilNanos.updateAndGet(until -> Math.max(until, System.nanoTime()) + price);
      stats.addAndGet(PeerFigure.BYTES_GIVEN, answer.position());
      return answer.flip();
    } finally {
      requests.release();
    }
  }

  private void collect(List<BlockKey> blocks, Predicate<CacheFile> mayLeave, ByteBuffer answer) {
    long sinceNanos = System.nanoTime();
    for (int i = 0; i < blocks.size() && System.nanoTime() - sinceNanos < MAX_NANOS; i++) {
      BlockKey place = blocks.get(i);
      if (mayLeave.test(place.file())
          && tiers.get(place.file(), place.offset(), Access.UNCOUNTED) instanceof Cacheable block) {
        try {
          int length = block.getSerializedLength();
          if (block instanceof HFileBlock
              && BlockMessages.add(answer, i, place, length, to -> block.serialize(to, true))) {
            stats.addAndGet(PeerFigure.BLOCKS_GIVEN, 1);
          }
        } finally {
          block.release();
        }
      }
    }
  }
}
