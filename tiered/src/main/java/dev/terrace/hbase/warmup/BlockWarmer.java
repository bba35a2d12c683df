// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.peers.BlockCheck;
import dev.terrace.hbase.peers.Peers;
import dev.terrace.hbase.warmup.HotList.Block;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/** Loads the blocks of a piece of a file into their tiers. Thread-safe. */
final class BlockWarmer {

  /** Failures in a file before the rest of it is skipped. Bounds the cost of a forged list. */
  private static final int MAX_FAILURES = 3;

  private final TieredCache<?> tiers;
  private final int[] tiersHere;
  private final PutRouter puts;
  private final Peers peers;
  private final RegionWarmer warmer;
  private final RateLimitedLog log = new RateLimitedLog(BlockWarmer.class);

  BlockWarmer(TieredCache<?> tiers, PutRouter puts, Peers peers, RegionWarmer warmer) {
    this.tiers = tiers;
    this.tiersHere = Block.numbers(tiers.tierNames());
    this.puts = puts;
    this.peers = peers;
    this.warmer = warmer;
  }

  /**
   * A block to take from another server.
   *
   * @param bytes what that server gave; null before that
   */
  record Taken(Piece piece, Block block, ByteBuffer bytes) {}

  /**
   * Asks another server for the blocks of its pieces that are not cached here.
   *
   * @throws org.apache.hadoop.hbase.CallQueueTooBigException if the server is busy
   * @throws IOException if it does not answer, or refuses
   */
  List<Taken> take(List<Piece> batch) throws IOException {
    List<Taken> wanted = new ArrayList<>();
    List<BlockKey> keys = new ArrayList<>();
    for (Piece piece : batch) {
      for (Block block : piece.isRead() ? piece.blocks() : List.<Block>of()) {
        BlockKey key = new BlockKey(file(piece), block.offset());
        if (tiers.tierOf(key.file(), key.offset()) < 0 && isAdmitted(block)) {
          keys.add(key);
          wanted.add(new Taken(piece, block, null));
        }
      }
    }
    List<Taken> taken = new ArrayList<>();
    if (!wanted.isEmpty()) {
      peers
          .take(batch.get(0).server, keys)
          .forEach(
              (index, bytes) -> {
                Taken given = wanted.get(index);
                taken.add(new Taken(given.piece, given.block, bytes));
              });
    }
    return taken;
  }

  /** Caches a block that another server gave. Returns its bytes; 0 if it is not cached. */
  int put(Taken taken) {
    StoreFileReader reader = taken.piece.open.getReader();
    // A compaction may have replaced the file, and evicted its blocks, during the call.
    if (reader == null || !taken.piece.isRead()) {
      return 0;
    }
    int bytes =
        BlockCheck.decode(taken.bytes, taken.block.offset(), reader.getHFileReader())
            .map(block -> put(taken.piece, taken.block, block))
            .orElse(0);
    peers.took(bytes);
    return bytes;
  }

  private int put(Piece piece, Block listed, HFileBlock block) {
    CacheConfig caching = piece.open.getCacheConf();
    PutOutcome outcome = null;
    if (caching.shouldCacheBlockOnRead(block.getBlockType().getCategory())) {
      boolean isPrimary = RegionReplicaUtil.isDefaultReplica(piece.warming.region.getRegionInfo());
      BlockCacheKey key =
          new BlockCacheKey(piece.name(), listed.offset(), isPrimary, block.getBlockType());
      int tier = listed.tierHere(tiersHere);
      outcome =
          puts.readInto(tier, () -> peers.ownCache().cacheBlock(key, block, caching.isInMemory()));
    }
    if (outcome != PutOutcome.BAD_BLOCK) {
      piece.done.put(listed.offset(), outcome(outcome, file(piece), listed, WarmOutcome.FROM_PEER));
    }
    return block.getSerializedLength();
  }

  /** Caches a piece's blocks that no other server gave. */
  Map<WarmOutcome, Long> warm(Piece piece) {
    Warming warming = piece.warming;
    Map<WarmOutcome, Long> counts = new EnumMap<>(WarmOutcome.class);
    List<Block> wanted = new ArrayList<>();
    long promotedBytes = 0;
    for (Block block : piece.blocks()) {
      WarmOutcome taken = piece.done.get(block.offset());
      WarmOutcome outcome = taken != null ? taken : outcomeWithoutRead(file(piece), block);
      if (outcome == null) {
        wanted.add(block);
      } else {
        counts.merge(outcome, 1L, Long::sum);
        promotedBytes += outcome == WarmOutcome.PROMOTED ? block.sizeBytes() : 0;
      }
    }
    warmer.pace(warming, 0, 0, promotedBytes);
    if (warming.failures.getOrDefault(piece.name(), 0) >= MAX_FAILURES) {
      counts.merge(WarmOutcome.FAILED, (long) wanted.size(), Long::sum);
    } else if (!wanted.isEmpty()) {
      read(piece, wanted, counts);
    }
    return counts;
  }

  private CacheFile file(Piece piece) {
    return tiers.files().find(piece.name());
  }

  /** The outcome of a block that needs no read of the store; null if it must be read. */
  private WarmOutcome outcomeWithoutRead(CacheFile file, Block block) {
    int listedIn = block.tierHere(tiersHere);
    int tier = tiers.tierOf(file, block.offset());
    if (tier >= 0) {
      return tier > listedIn && listedIn == 0 && promote(file, block)
          ? WarmOutcome.PROMOTED
          : WarmOutcome.ALREADY_CACHED;
    }
    return isAdmitted(block) ? null : WarmOutcome.NOT_ADMITTED;
  }

  /** Whether a block was hit, or there is room for it. */
  private boolean isAdmitted(Block block) {
    // A block that does not fit goes to a tier below.
    return block.hits() > 0
        || block.isProtected()
        || IntStream.range(block.tierHere(tiersHere), tiersHere.length).anyMatch(tiers::hasRoom);
  }

  private boolean promote(CacheFile file, Block block) {
    boolean isPromoted = tiers.promote(file, block.offset());
    if (isPromoted) {
      tiers.touch(file, block.offset(), block.hits());
    }
    return isPromoted;
  }

  private void read(Piece piece, List<Block> wanted, Map<WarmOutcome, Long> counts) {
    Warming warming = piece.warming;
    PieceReader reader = null;
    int done = 0;
    try {
      reader = piece.open.isCompactedAway() ? null : PieceReader.of(piece.open);
      if (reader == null) {
        counts.merge(WarmOutcome.COMPACTED, (long) wanted.size(), Long::sum);
        return;
      }
      while (done < wanted.size() && warming.isActive) {
        int end = done + 1;
        while (end < wanted.size() && WarmPlan.isAdjacent(wanted.get(end - 1), wanted.get(end))) {
          end++;
        }
        long next = end < wanted.size() ? wanted.get(end).offset() : piece.endOffset();
        reader.fetch(wanted.get(done).offset(), wanted.get(end - 1), next);
        for (; done < end && warming.isActive; done++) {
          counts.merge(read(reader, file(piece), wanted.get(done)), 1L, Long::sum);
        }
      }
    } catch (IOException e) {
      counts.merge(WarmOutcome.FAILED, (long) wanted.size() - done, Long::sum);
      warming.failures.merge(piece.name(), 1, Integer::sum);
      if (warming.isActive) {
        log.warn(
            "Warm-up failed, file is cold: region=" + warming.name() + " file=" + piece.name(), e);
      }
    }
    if (reader != null) {
      warmer.pace(warming, reader.reads(), reader.readBytes(), 0);
    }
  }

  private WarmOutcome read(PieceReader reader, CacheFile file, Block block) throws IOException {
    if (reader.isLoaded(block.offset())) {
      return WarmOutcome.ALREADY_CACHED;
    }
    int tier = block.tierHere(tiersHere);
    PutOutcome outcome = puts.readInto(tier, () -> reader.read(block.offset()));
    return outcome(outcome, file, block, WarmOutcome.WARMED);
  }

  /**
   * The outcome of a put.
   *
   * @param put null if HBase did not want to cache the block
   */
  private WarmOutcome outcome(PutOutcome put, CacheFile file, Block block, WarmOutcome ifStored) {
    if (put == PutOutcome.STORED) {
      tiers.touch(file, block.offset(), block.hits());
      return ifStored;
    }
    return put == PutOutcome.ALREADY_PRESENT ? WarmOutcome.ALREADY_CACHED : WarmOutcome.REFUSED;
  }
}
