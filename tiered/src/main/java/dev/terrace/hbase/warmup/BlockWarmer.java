// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.warmup.HotList.Block;
import dev.terrace.hbase.warmup.HotList.Mark;
import dev.terrace.hbase.warmup.RegionWarmer.Warming;
import dev.terrace.hbase.warmup.RegionWarmup.Outcome;
import dev.terrace.hbase.warmup.WarmPlan.Piece;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Loads the blocks of a piece of a file into their tiers. Thread-safe. */
final class BlockWarmer {

  /** Failures in a file before the rest of it is skipped. Bounds the cost of a forged list. */
  private static final int MAX_FAILURES = 3;

  private final TieredCache<?> tiers;
  private final int[] tiersHere;
  private final PutRouter puts;
  private final RegionWarmer warmer;
  private final RateLimitedLog log;

  BlockWarmer(TieredCache<?> tiers, PutRouter puts, RegionWarmer warmer, RateLimitedLog log) {
    this.tiers = tiers;
    this.tiersHere = Mark.numbers(tiers.tierNames());
    this.puts = puts;
    this.warmer = warmer;
    this.log = log;
  }

  /** Caches a piece's blocks. */
  Map<Outcome, Long> warm(Warming warming, Piece piece) {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    List<Block> wanted = new ArrayList<>();
    long promotedBytes = 0;
    for (Block block : piece.blocks()) {
      Outcome outcome = outcomeWithoutRead(file(piece), block);
      if (outcome == null) {
        wanted.add(block);
      } else {
        counts.merge(outcome, 1L, Long::sum);
        promotedBytes += outcome == Outcome.PROMOTED ? block.sizeBytes() : 0;
      }
    }
    warmer.pace(warming, 0, 0, promotedBytes);
    if (warming.failures.getOrDefault(piece.name(), 0) >= MAX_FAILURES) {
      counts.merge(Outcome.FAILED, (long) wanted.size(), Long::sum);
    } else if (!wanted.isEmpty()) {
      read(warming, piece, wanted, counts);
    }
    return counts;
  }

  private CacheFile file(Piece piece) {
    return tiers.files().find(piece.name());
  }

  /** The outcome of a block that needs no read of the store; null if it must be read. */
  private Outcome outcomeWithoutRead(CacheFile file, Block block) {
    int effectiveConfig = Mark.tierHere(block.mark(), tiersHere);
    int tier = tiers.tierOf(file, block.offset());
    if (tier >= 0) {
      return tier > effectiveConfig && effectiveConfig == 0 && promote(file, block)
          ? Outcome.PROMOTED
          : Outcome.ALREADY_CACHED;
    }
    boolean isCold = Mark.hits(block.mark()) == 0 && !Mark.isProtected(block.mark());
    // A block that does not fit goes to a tier below.
    return isCold && IntStream.range(effectiveConfig, tiersHere.length).noneMatch(tiers::hasRoom)
        ? Outcome.NOT_ADMITTED
        : null;
  }

  private boolean promote(CacheFile file, Block block) {
    boolean isPromoted = tiers.promote(file, block.offset());
    if (isPromoted) {
      tiers.touch(file, block.offset(), Mark.hits(block.mark()));
    }
    return isPromoted;
  }

  private void read(Warming warming, Piece piece, List<Block> wanted, Map<Outcome, Long> counts) {
    PieceReader reader = null;
    int done = 0;
    try {
      reader = piece.open().isCompactedAway() ? null : PieceReader.of(piece.open());
      if (reader == null) {
        counts.merge(Outcome.COMPACTED, (long) wanted.size(), Long::sum);
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
      counts.merge(Outcome.FAILED, (long) wanted.size() - done, Long::sum);
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

  private Outcome read(PieceReader reader, CacheFile file, Block block) throws IOException {
    if (reader.isLoaded(block.offset())) {
      return Outcome.ALREADY_CACHED;
    }
    int tier = Mark.tierHere(block.mark(), tiersHere);
    PutOutcome outcome = puts.readInto(tier, () -> reader.read(block.offset()));
    if (outcome == PutOutcome.STORED) {
      tiers.touch(file, block.offset(), Mark.hits(block.mark()));
      return Outcome.WARMED;
    }
    return outcome == PutOutcome.ALREADY_PRESENT ? Outcome.ALREADY_CACHED : Outcome.REFUSED;
  }
}
