// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.files.Memo;
import dev.terrace.hbase.warmup.HeatList.Mark;
import dev.terrace.hbase.warmup.HeatList.OfFile;
import dev.terrace.hbase.warmup.RegionHeat.Fate;
import dev.terrace.hbase.warmup.RegionWarmer.Warming;
import dev.terrace.hbase.warmup.WarmPlan.Piece;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/** Loads the blocks of a piece of a file into their tiers. Thread-safe. */
final class BlockWarmer {

  /** Failures in a file before the rest of it is skipped. Bounds the cost of a forged list. */
  private static final int MAX_FAILURES = 3;

  private final TieredCache<?> tiers;
  private final int[] tiersHere;
  private final PutRouter puts;
  private final RegionWarmer warmer;
  private final RateLimitedLog log;

  /** The number of the lowest tier that has room; -1 if none has. */
  private final Memo<Integer> lowestWithRoom;

  BlockWarmer(TieredCache<?> tiers, PutRouter puts, RegionWarmer warmer, RateLimitedLog log) {
    this.tiers = tiers;
    this.tiersHere = Mark.numbers(tiers.tierNames());
    this.puts = puts;
    this.warmer = warmer;
    this.log = log;
    this.lowestWithRoom =
        new Memo<>(
            () ->
                IntStream.range(0, tiers.tierNames().size())
                    .filter(tiers::hasRoom)
                    .max()
                    .orElse(-1),
            System::nanoTime);
  }

  /**
   * Caches a piece's blocks.
   *
   * @param buffer for a piece of the file
   */
  Map<Fate, Long> warm(Warming warming, HStoreFile open, Piece piece, byte[] buffer) {
    Map<Fate, Long> counts = new EnumMap<>(Fate.class);
    OfFile file = piece.file();
    int[] wanted = new int[piece.to() - piece.from()];
    int count = 0;
    long promotedBytes = 0;
    for (int block = piece.from(); block < piece.to(); block++) {
      Fate fate = fateWithoutRead(file, block);
      if (fate == null) {
        wanted[count++] = block;
      } else {
        counts.merge(fate, 1L, Long::sum);
        promotedBytes += fate == Fate.PROMOTED ? file.sizes()[block] : 0;
      }
    }
    warmer.pacePromoted(warming, promotedBytes);
    for (int first = 0; first < count; ) {
      int end = first + 1;
      while (end < count && WarmPlan.adjacent(file, wanted[end - 1], wanted[end])) {
        end++;
      }
      PieceReader reader = reader(warming, open, buffer);
      if (reader == null) {
        counts.merge(Fate.GONE, (long) end - first, Long::sum);
      } else {
        read(reader, warming, file, Arrays.copyOfRange(wanted, first, end), counts);
      }
      first = end;
    }
    return counts;
  }

  /** The fate of a block that needs no read of the store; null if it must be read. */
  private Fate fateWithoutRead(OfFile file, int block) {
    byte mark = file.marks()[block];
    int tier = tiers.tierOf(file.file(), file.offsets()[block]);
    if (tier >= 0) {
      return tier > tier(mark) && tier(mark) == 0 && promote(file, block)
          ? Fate.PROMOTED
          : Fate.CACHED;
    }
    boolean isCold = Mark.hits(mark) == 0 && !Mark.isProtected(mark);
    // A block that does not fit goes to a tier below.
    return isCold && lowestWithRoom.get() < tier(mark) ? Fate.COLD : null;
  }

  private boolean promote(OfFile file, int block) {
    long offset = file.offsets()[block];
    boolean isPromoted = tiers.promote(file.file(), offset);
    if (isPromoted) {
      tiers.touch(file.file(), offset, Mark.hits(file.marks()[block]));
    }
    return isPromoted;
  }

  private int tier(byte mark) {
    return Mark.tierHere(mark, tiersHere);
  }

  private void read(
      PieceReader reader, Warming warming, OfFile file, int[] blocks, Map<Fate, Long> counts) {
    if (warming.failures.getOrDefault(file.file(), 0) >= MAX_FAILURES) {
      counts.merge(Fate.FAILED, (long) blocks.length, Long::sum);
      return;
    }
    int last = blocks[blocks.length - 1];
    int done = 0;
    try {
      long next = last + 1 < file.blocks() ? file.offsets()[last + 1] : HeatList.END_OF_OFFSETS;
      reader.fetch(file.offsets()[blocks[0]], file.offsets()[last], file.sizes()[last], next);
      for (; done < blocks.length && warming.isActive; done++) {
        counts.merge(read(reader, file, blocks[done]), 1L, Long::sum);
      }
    } catch (IOException e) {
      counts.merge(Fate.FAILED, (long) blocks.length - done, Long::sum);
      warming.failures.merge(file.file(), 1, Integer::sum);
      warn(warming, file.file(), e);
    }
    warmer.paceRead(warming, reader.readBytes());
  }

  /** Null if the file must not be read any more. */
  private PieceReader reader(Warming warming, HStoreFile open, byte[] buffer) {
    try {
      return open.isCompactedAway() ? null : PieceReader.of(open, buffer);
    } catch (IOException e) {
      warn(warming, open.getPath().getName(), e);
      return null;
    }
  }

  private Fate read(PieceReader reader, OfFile file, int block) throws IOException {
    byte mark = file.marks()[block];
    long offset = file.offsets()[block];
    if (reader.isLoaded(offset)) {
      return Fate.CACHED;
    }
    PutOutcome outcome = puts.readInto(tier(mark), () -> reader.read(offset));
    if (outcome == PutOutcome.STORED) {
      tiers.touch(file.file(), offset, Mark.hits(mark));
      return Fate.WARMED;
    }
    if (outcome == PutOutcome.ALREADY_PRESENT) {
      return Fate.CACHED;
    }
    return Fate.REFUSED;
  }

  private void warn(Warming warming, String file, IOException cause) {
    if (warming.isActive) {
      log.warn("Not warmed: region=" + warming.name() + " file=" + file, cause);
    }
  }
}
