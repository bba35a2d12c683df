// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import dev.terrace.api.Access;
import dev.terrace.api.CacheFile;
import dev.terrace.hbase.peers.BlockMessages.AnswerWriter;
import dev.terrace.hbase.peers.BlockMessages.BlockAddress;
import dev.terrace.hbase.peers.BlockMessages.Request;
import dev.terrace.tiered.TieredCache;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Copies cached blocks for another region server. It leaves no trace in the tiers: no hit, no
 * promotion. Never waits: beyond its rate, or while handlers are short, the answer is "busy".
 * Thread-safe.
 */
final class BlockGiver {

  /** Maximum bytes per second given, to all servers together. */
  static final long BYTES_PER_SECOND = 200L << 20;

  /** Maximum number of concurrent requests. Bounds the memory of answers. */
  static final int MAX_REQUESTS = 4;

  /** After this time a request gets the blocks that have been read. */
  private static final long MAX_NANOS = Duration.ofMillis(300).toNanos();

  private static final long NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

  private final TieredCache<?> tiers;
  private final PeerStats stats;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong paidUntilNanos = new AtomicLong(System.nanoTime());

  BlockGiver(TieredCache<?> tiers, PeerStats stats) {
    this.tiers = tiers;
    this.stats = stats;
  }

  /**
   * Answers a request.
   *
   * @param mayLeave whether a file's blocks may be sent to the caller
   * @param hasRoom whether the server's handlers have nothing more urgent to do
   */
  byte[] answer(Request request, Predicate<CacheFile> mayLeave, boolean hasRoom) {
    try {
      if (requests.incrementAndGet() > MAX_REQUESTS
          || !hasRoom
          || System.nanoTime() - paidUntilNanos.get() < 0) {
        stats.add(PeerFigure.REQUESTS_BUSY, 1);
        return AnswerWriter.busy();
      }
      AnswerWriter answer = new AnswerWriter();
      collect(request, mayLeave, answer);
      byte[] bytes = answer.encoded();
      long price = bytes.length * NANOS_PER_SECOND / BYTES_PER_SECOND;
      paidUntilNanos.updateAndGet(until -> Math.max(until, System.nanoTime()) + price);
      stats.add(PeerFigure.BLOCKS_GIVEN, answer.blocks());
      stats.add(PeerFigure.BYTES_GIVEN, bytes.length);
      return bytes;
    } finally {
      requests.decrementAndGet();
    }
  }

  private void collect(Request request, Predicate<CacheFile> mayLeave, AnswerWriter answer) {
    long sinceNanos = System.nanoTime();
    for (int i = 0; i < request.keys().size(); i++) {
      if (System.nanoTime() - sinceNanos > MAX_NANOS) {
        return;
      }
      BlockAddress key = request.keys().get(i);
      CacheFile file = tiers.files().find(key.file());
      if (mayLeave.test(file)
          && tiers.get(file, key.offset(), Access.UNCOUNTED) instanceof Cacheable block) {
        try {
          int bytes = block.getSerializedLength();
          if (!answer.hasRoom(bytes)) {
            return;
          }
          if (block instanceof HFileBlock) {
            ByteBuffer copy = ByteBuffer.allocate(bytes);
            block.serialize(copy, true);
            answer.add(i, key, copy.array());
          }
        } finally {
          block.release();
        }
      }
    }
  }
}
