// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.peers.BlockAddress;
import dev.terrace.hbase.peers.BlockCheck;
import dev.terrace.hbase.peers.Peers;
import dev.terrace.hbase.warmup.HotList.Block;
import dev.terrace.hbase.warmup.HotList.Mark;
import dev.terrace.hbase.warmup.WarmPlan.Piece;
import dev.terrace.hbase.warmup.WarmQueue.Batch;
import dev.terrace.hbase.warmup.WarmQueue.Step;
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
import org.apache.hadoop.hbase.regionserver.HStoreFile;
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
  private final RateLimitedLog log;

  BlockWarmer(
      TieredCache<?> tiers, PutRouter puts, Peers peers, RegionWarmer warmer, RateLimitedLog log) {
    this.tiers = tiers;
    this.tiersHere = Mark.numbers(tiers.tierNames());
    this.puts = puts;
    this.peers = peers;
    this.warmer = warmer;
    this.log = log;
  }

  /** A block to take from another server. */
  record Place(Step step, Block block) {}

  /** A block that another server gave. */
  record Taken(Place place, ByteBuffer bytes) {}

  /**
   * Asks another server for the blocks of pieces that are not cached here.
   *
   * @throws org.apache.hadoop.hbase.CallQueueTooBigException if the server is busy
   * @throws IOException if it does not answer, or refuses
   */
  List<Taken> take(Batch batch) throws IOException {
    List<BlockAddress> wanted = new ArrayList<>();
    List<Place> places = new ArrayList<>();
    for (Step step : batch.steps()) {
      if (isRead(step)) {
        for (Block block : step.piece().blocks()) {
          if (tiers.tierOf(file(step.piece()), block.offset()) < 0 && isAdmitted(block)) {
            wanted.add(new BlockAddress(step.piece().name(), block.offset()));
            places.add(new Place(step, block));
          }
        }
      }
    }
    List<Taken> taken = new ArrayList<>();
    if (!wanted.isEmpty()) {
      peers
          .take(batch.server(), wanted)
          .forEach((index, bytes) -> taken.add(new Taken(places.get(index), bytes)));
    }
    return taken;
  }

  /** Caches a block that another server gave. */
  void put(Taken taken) {
    Place place = taken.place;
    StoreFileReader reader = place.step.piece().open().getReader();
    // A compaction may have replaced the file, and evicted its blocks, during the call.
    if (reader != null && isRead(place.step)) {
      peers.took(
          BlockCheck.decode(taken.bytes, place.block.offset(), reader.getHFileReader())
              .map(block -> put(place.step, place.block, block))
              .orElse(0));
    }
  }

  /** Whether its region still reads the file of a piece. */
  private static boolean isRead(Step step) {
    HStoreFile open = step.piece().open();
    return step.warming().isActive && open.getReader() != null && !open.isCompactedAway();
  }

  /** Caches a block. Returns its bytes. */
  private int put(Step step, Block listed, HFileBlock block) {
    Piece piece = step.piece();
    CacheConfig caching = piece.open().getCacheConf();
    PutOutcome outcome = null;
    if (caching.shouldCacheBlockOnRead(block.getBlockType().getCategory())) {
      boolean isPrimary = RegionReplicaUtil.isDefaultReplica(step.warming().region.getRegionInfo());
      BlockCacheKey key =
          new BlockCacheKey(piece.name(), listed.offset(), isPrimary, block.getBlockType());
      int tier = Mark.tierHere(listed.mark(), tiersHere);
      outcome =
          puts.readInto(tier, () -> peers.ownCache().cacheBlock(key, block, caching.isInMemory()));
    }
    if (outcome != PutOutcome.BAD_BLOCK) {
      step.done()
          .put(listed.offset(), outcome(outcome, file(piece), listed, WarmOutcome.FROM_PEER));
    }
    warmer.took(step.warming(), block.getSerializedLength());
    return block.getSerializedLength();
  }

  /** Caches a piece's blocks that no other server gave. */
  Map<WarmOutcome, Long> warm(Step step) {
    Warming warming = step.warming();
    Piece piece = step.piece();
    Map<WarmOutcome, Long> counts = new EnumMap<>(WarmOutcome.class);
    List<Block> wanted = new ArrayList<>();
    long promotedBytes = 0;
    for (Block block : piece.blocks()) {
      WarmOutcome taken = step.done().get(block.offset());
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
      read(warming, piece, wanted, counts);
    }
    return counts;
  }

  private CacheFile file(Piece piece) {
    return tiers.files().find(piece.name());
  }

  /** The outcome of a block that needs no read of the store; null if it must be read. */
  private WarmOutcome outcomeWithoutRead(CacheFile file, Block block) {
    int listedIn = Mark.tierHere(block.mark(), tiersHere);
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
    return Mark.hits(block.mark()) > 0
        || Mark.isProtected(block.mark())
        || IntStream.range(Mark.tierHere(block.mark(), tiersHere), tiersHere.length)
            .anyMatch(tiers::hasRoom);
  }

  private boolean promote(CacheFile file, Block block) {
    boolean isPromoted = tiers.promote(file, block.offset());
    if (isPromoted) {
      tiers.touch(file, block.offset(), Mark.hits(block.mark()));
    }
    return isPromoted;
  }

  private void read(
      Warming warming, Piece piece, List<Block> wanted, Map<WarmOutcome, Long> counts) {
    PieceReader reader = null;
    int done = 0;
    try {
      reader = piece.open().isCompactedAway() ? null : PieceReader.of(piece.open());
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
    int tier = Mark.tierHere(block.mark(), tiersHere);
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
      tiers.touch(file, block.offset(), Mark.hits(block.mark()));
      return ifStored;
    }
    return put == PutOutcome.ALREADY_PRESENT ? WarmOutcome.ALREADY_CACHED : WarmOutcome.REFUSED;
  }
}
