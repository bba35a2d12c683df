// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.api.DemotionTarget;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.Quota;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.StoredRegions;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.log.CorruptionLog;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.ExpiringBlocks;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.Region.State;
import dev.terrace.region.log.RegionWriter.Reservation;
import dev.terrace.region.log.Residents;
import dev.terrace.region.read.BlockLookup;
import dev.terrace.region.read.BlockReader;
import dev.terrace.region.read.BlockReader.BlockBytes;
import dev.terrace.region.read.PinnedRegions;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Collectors;

/**
 * Chooses the region to reclaim, and empties it. Rewrites blocks that were hit since they were
 * written or that must stay, and evicts the others. {@link DemotionTarget.Above} decides about
 * blocks that a tier above has. Blocks in {@link ExpiringBlocks} are neither rewritten nor demoted.
 *
 * <p>At most nine tenths of a region are rewritten, so every reclaim gains space. Where most blocks
 * are hit, that writes each of them many times and leaves no time for puts; so once puts were
 * refused, a quarter is. Only the worker of the device's log calls the methods.
 */
final class Reclaimer {

  /** A region with less than this share of its written bytes left goes before the oldest one. */
  private static final double MOSTLY_DEAD = 0.5;

  /** So does one with less left than this share of a region: any block fits beside that. */
  private static final double MOSTLY_EMPTY = 0.25;

  /** The largest share of a region that is rewritten. */
  private static final double REWRITTEN_SHARE = 0.9;

  /** The same, without the blocks that must stay, while puts are refused for want of room. */
  private static final double REWRITTEN_SHARE_IN_NEED = 0.25;

  /** A region is passed over if more than this share of it must stay. */
  private static final double MOSTLY_KEPT = 0.75;

  /** Most regions that one search passes over: it reads the table of each. */
  private static final int MAX_PASSED = 64;

  /** A search visits all regions, so it chooses one in this many, for the next reclaims. */
  private static final int REGIONS_PER_CANDIDATE = 64;

  /** The most that it chooses: regions that die afterwards wait for the next search. */
  private static final int MAX_CANDIDATES = 128;

  /**
   * A region to be reclaimed, as a search found it.
   *
   * @param order suspect ones first, then the mostly dead ones, then the others
   * @param valuedBytes of mostly dead ones; of these, the fewest first
   */
  private record Candidate(Region region, int order, long valuedBytes, long age) {

    static final Comparator<Candidate> FIRST =
        Comparator.comparingInt(Candidate::order)
            .thenComparingLong(Candidate::valuedBytes)
            .thenComparingLong(Candidate::age);
  }

  private final DeviceLog log;
  private final PinnedRegions held;
  private final Residents residents;
  private final BlockReader reader;
  private final BlockLookup<?> lookup;
  private final LogContext context;
  private final RateLimitedLog warnings;
  private final int regionBytes;

  /** The rest of what the last search chose. */
  private final Queue<Candidate> candidates = new ArrayDeque<>();

  Reclaimer(DeviceLog log, PinnedRegions held, BlockLookup<?> lookup, LogContext context) {
    this.log = log;
    this.held = held;
    this.regionBytes = log.io().device().regionBytes();
    this.residents = lookup.residents();
    this.reader = lookup.reader();
    this.lookup = lookup;
    this.context = context;
    this.warnings = context.log(Reclaimer.class);
  }

  /**
   * Chooses a region that no reader holds: of the mostly dead ones, the one with the fewest valued
   * bytes; if there is none, the oldest region. Regions whose blocks must stay are passed over, up
   * to a limit.
   *
   * @return null if there is none
   */
  Region victim(Region[] regions) {
    Region passed = null;
    int left = MAX_PASSED;
    for (int tries = regions.length; tries > 0 && left > 0; tries--) {
      Region best = best(regions);
      if (best == null) {
        break;
      }
      if (held.isFree(best)) {
        if (!residents.index().keepsAny() || keptBytes(liveIn(best)) <= regionBytes * MOSTLY_KEPT) {
          return best;
        }
        passed = passed == null ? best : passed;
        // As if it were the newest.
        best.passOver(log.nextSequence());
        left--;
      }
    }
    return passed;
  }

  private Region best(Region[] regions) {
    Region best = nextCandidate();
    if (best == null) {
      Arrays.stream(regions)
          .filter(this::isReclaimable)
          .map(this::candidate)
          .sorted(Candidate.FIRST)
          .limit(Math.max(1, Math.min(MAX_CANDIDATES, regions.length / REGIONS_PER_CANDIDATE)))
          .forEach(candidates::add);
      best = nextCandidate();
    }
    return best;
  }

  /** The next region that is still as it was found; null if there is none. */
  private Region nextCandidate() {
    Candidate next = candidates.poll();
    while (next != null && !(isReclaimable(next.region) && next.region.age() == next.age)) {
      next = candidates.poll();
    }
    return next == null ? null : next.region;
  }

  private boolean isReclaimable(Region region) {
    return region.state() == State.SEALED && !PinnedRegions.isHeld(region);
  }

  private Candidate candidate(Region region) {
    long valuedBytes = region.valuedBytes();
    boolean isMostlyDead = isMostlyDead(region, valuedBytes);
    int order = region.isSuspect() ? 0 : isMostlyDead ? 1 : 2;
    return new Candidate(region, order, isMostlyDead ? valuedBytes : 0, region.age());
  }

  /**
   * Whether rewriting this many bytes of a region gains space. A large block may leave half of a
   * region empty though nothing died in it: rewriting such a region gains nothing, time and again.
   */
  private boolean isMostlyDead(Region region, long bytes) {
    return bytes < Math.max(regionBytes * MOSTLY_EMPTY, region.filledBytes() * MOSTLY_DEAD);
  }

  /**
   * Removes all blocks from a region. If one fails, the remaining ones are dropped.
   *
   * @param cause why blocks are evicted
   */
  void empty(Region region, EvictionCause cause) {
    if (region.liveBlocks() == 0) {
      return;
    }
    try {
      rewriteOrEvict(region, cause);
    } catch (RuntimeException | Error e) {
      log.io().health().damaged(TierFault.CORRUPT_REGION);
      warnings.warn("Reclaiming a cache region failed; its blocks are dropped: " + region, e);
      for (IndexEntry entry : fromIndex(region)) {
        residents.dropDamaged(entry, CorruptionLog.Reason.NOT_EMPTIED, "", e);
      }
    }
  }

  private void rewriteOrEvict(Region region, EvictionCause cause) {
    boolean compact = isMostlyDead(region, region.liveBytes());
    // Rewriting a block frees no room in the index.
    boolean forIndex = residents.index().isShortOfMemory();
    boolean inNeed = log.free().isStarved() && !compact;
    long rewritten = 0;
    for (IndexEntry entry : keptFirst(liveIn(region))) {
      DemotionTarget.Above above = above(entry);
      boolean mustStay = residents.isKept(entry) && !isLeaving(entry);
      boolean stays = mustStay || (!forIndex && isWorthKeeping(entry, above, compact));
      double share = inNeed && !mustStay ? REWRITTEN_SHARE_IN_NEED : REWRITTEN_SHARE;
      long after = rewritten + entry.recordBytes();
      if (stays && after <= regionBytes * share && rewrite(entry) == Rewrite.DONE) {
        rewritten = after;
      } else {
        evict(entry, above, cause);
      }
    }
  }

  /** A leaving block is worth as little as one that a tier above has. */
  private DemotionTarget.Above above(IndexEntry entry) {
    return isLeaving(entry) ? DemotionTarget.Above.YES : lookup.above(entry);
  }

  private boolean isLeaving(IndexEntry entry) {
    return context.expiring().test(entry.file(), entry.offset());
  }

  /** How many bytes of these blocks must stay if the others leave. */
  private long keptBytes(List<IndexEntry> entries) {
    Map<Quota, Long> leaving = new HashMap<>();
    long keptBytes = 0;
    for (IndexEntry entry : entries) {
      Quota quota = residents.index().quota(entry.file());
      long bytes = BlockAddress.payloadBytes(entry.address());
      long leavingBytes = leaving.getOrDefault(quota, 0L) + bytes;
      if (!isLeaving(entry) && residents.limits().keeps(entry.file(), leavingBytes)) {
        keptBytes += bytes;
      } else {
        leaving.merge(quota, bytes, Long::sum);
      }
    }
    return keptBytes;
  }

  /** Blocks that must stay come first, because the budget is bounded. */
  private List<IndexEntry> keptFirst(List<IndexEntry> live) {
    if (!residents.index().keepsAny()) {
      return live;
    }
    Map<Boolean, List<IndexEntry>> parts =
        live.stream().collect(Collectors.partitioningBy(residents::isKept));
    List<IndexEntry> ordered = new ArrayList<>(parts.get(true));
    ordered.addAll(parts.get(false));
    return ordered;
  }

  private boolean isWorthKeeping(IndexEntry entry, DemotionTarget.Above above, boolean compact) {
    return switch (above) {
      case YES -> false;
      case VOLATILE -> true;
      case NO -> entry.hits() > 0 || (compact && residents.index().isClaimed(entry.file()));
    };
  }

  private void evict(IndexEntry entry, DemotionTarget.Above above, EvictionCause cause) {
    if (above == DemotionTarget.Above.NO) {
      lookup.offer(entry);
    }
    residents.drop(entry.file(), entry.offset(), entry.address(), cause);
  }

  /** The live blocks of a sealed region. */
  List<IndexEntry> liveIn(Region region) {
    List<IndexEntry> live = new ArrayList<>();
    try {
      for (RegionTable.Entry entry : tableOf(region)) {
        IndexEntry found =
            residents.index().find(context.files().find(entry.file()), entry.offset());
        long address = entry.address(region.number);
        if (found != null && found.address() == address) {
          live.add(found);
        }
      }
    } catch (IOException e) {
      warnings.warn("Cannot read a cache region's index (reclaim is slower): " + region, e);
    }
    if (live.size() < region.liveBlocks()) {
      return fromIndex(region);
    }
    return live;
  }

  /** The entries of a region's table; none if a crash left the region open. */
  private List<RegionTable.Entry> tableOf(Region region) throws IOException {
    StoredRegions stored = log.io().stored();
    RegionLayout.Footer footer = stored.footer(region.slot);
    boolean isOfThisLife = footer != null && footer.firstSequence() == region.firstSequence();
    return isOfThisLife ? stored.table(region.slot, footer).entries() : List.of();
  }

  private List<IndexEntry> fromIndex(Region region) {
    return residents
        .index()
        .entries()
        .filter(entry -> BlockAddress.region(entry.address()) == region.number)
        .toList();
  }

  /**
   * Rewrites the blocks of a region until there is no room. Drops those that cannot be read.
   *
   * @return whether any block left the region
   */
  boolean moveOut(Region region) {
    boolean moved = false;
    for (IndexEntry entry : liveIn(region)) {
      Rewrite result = rewrite(entry);
      if (result == Rewrite.NO_ROOM) {
        return moved;
      }
      if (result == Rewrite.FAILED) {
        residents.drop(entry.file(), entry.offset(), entry.address(), EvictionCause.RESIZE);
      }
      moved = true;
    }
    return moved;
  }

  private enum Rewrite {
    DONE,
    /** No region has room for it now. */
    NO_ROOM,
    /** It cannot be read, or has been evicted. */
    FAILED
  }

  private Rewrite rewrite(IndexEntry entry) {
    BlockBytes bytes = reader.read(entry, BlockReader.Purpose.MOVE);
    if (bytes == null) {
      return Rewrite.FAILED;
    }
    try {
      return append(entry, bytes);
    } finally {
      bytes.release();
    }
  }

  private Rewrite append(IndexEntry entry, BlockBytes bytes) {
    byte[] name = BlockRecord.nameOf(entry.file().name());
    int payloadBytes = BlockAddress.payloadBytes(entry.address());
    Reservation reservation = log.reserve(entry.file().name(), name.length, payloadBytes);
    if (reservation == null) {
      return Rewrite.NO_ROOM;
    }
    RegionTable.Entry written = null;
    boolean moved = false;
    try {
      reservation.payload().put(bytes.payload().duplicate());
      written =
          reservation.finish(
              name,
              entry.offset(),
              bytes.payloadCrc(),
              bytes.format(),
              bytes.form(),
              entry.traits());
      long to = reservation.address();
      moved = residents.move(entry.file(), entry.offset(), entry.address(), to);
      if (moved) {
        residents.region(entry.address()).movedTo(reservation.sequence());
      }
    } finally {
      if (!moved) {
        reservation.giveUp();
      }
    }
    if (moved) {
      // One hit less than before: a block that was hit often survives more than one reclaim.
      for (int hit = 1; hit < entry.hits(); hit++) {
        residents.index().touch(entry.file(), entry.offset());
      }
      reservation.keep(written, 0);
    }
    return moved ? Rewrite.DONE : Rewrite.FAILED;
  }
}
