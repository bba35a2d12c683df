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

import dev.terrace.api.EvictionCause;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierExit;
import dev.terrace.api.Trouble;
import dev.terrace.region.Region.State;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.index.IndexEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/**
 * Chooses the region that is used again next, and decides what becomes of its blocks: those that
 * were hit since they were written are written anew, the others leave; see {@link TierExit.Above}
 * for what is in a tier above, too.
 *
 * <p>At most nine tenths of a region are written anew for each one that is reclaimed, so that every
 * reclaim gains room. All methods are called by the worker of the device's log.
 */
final class Reclaimer {

  /** A region with less than this share of valued bytes goes before the oldest one. */
  private static final double MOSTLY_DEAD = 0.5;

  private static final double REINSERTED_SHARE = 0.9;

  /** Where blocks go that leave. */
  interface Exit {

    /** Offers a block that is about to leave. False if nobody was told of it. */
    boolean announce(IndexEntry entry);

    /** Whether a tier above has the block. */
    TierExit.Above above(IndexEntry entry);

    /** Says that a block that was announced had been evicted already. */
    void takeBack(IndexEntry entry);
  }

  private static final RateLimitedLog LOG =
      new RateLimitedLog(
          LoggerFactory.getLogger(Reclaimer.class), Duration.ofMinutes(1), System::nanoTime);

  private final RegionLog log;
  private final HeldRegions held;
  private final Residents residents;
  private final BlockReader reader;
  private final Exit exit;
  private final TierCounters counters;
  private final int regionBytes;

  Reclaimer(
      RegionLog log,
      HeldRegions held,
      Residents residents,
      BlockReader reader,
      Exit exit,
      TierCounters counters) {
    this.log = log;
    this.held = held;
    this.regionBytes = log.io().device().regionBytes();
    this.residents = residents;
    this.reader = reader;
    this.exit = exit;
    this.counters = counters;
  }

  /**
   * The region to reclaim, of those that no reader holds: the one with the fewest valued bytes if
   * that is little, else the oldest.
   *
   * @return null if there is none
   */
  Region victim(Region[] regions) {
    for (int tries = regions.length; tries > 0; tries--) {
      Region best = best(regions, region -> !held.isHeld(region));
      if (best == null || held.isFree(best)) {
        return best;
      }
    }
    return null;
  }

  private Region best(Region[] regions, Predicate<Region> isCandidate) {
    Region fewest = null;
    Region oldest = null;
    for (Region region : regions) {
      if (region.state() != State.SEALED || !isCandidate.test(region)) {
        continue;
      }
      if (region.isDistrusted()) {
        return region;
      }
      if (fewest == null || isWorthLess(region, fewest)) {
        fewest = region;
      }
      if (oldest == null || region.lastSequence() < oldest.lastSequence()) {
        oldest = region;
      }
    }
    boolean isMostlyDead = fewest != null && fewest.valuedBytes() < regionBytes * MOSTLY_DEAD;
    return isMostlyDead ? fewest : oldest;
  }

  /** Whether a region holds less that is of value, or as little and is older. */
  private static boolean isWorthLess(Region region, Region other) {
    long bytes = region.valuedBytes();
    long otherBytes = other.valuedBytes();
    return bytes < otherBytes
        || (bytes == otherBytes && region.lastSequence() < other.lastSequence());
  }

  /** Takes all blocks out of a region. If that fails with one, the others are dropped. */
  void empty(Region region) {
    if (region.liveBlocks() == 0) {
      return;
    }
    try {
      moveOrLeave(region);
    } catch (RuntimeException | Error e) {
      counters.trouble(Trouble.DAMAGED_REGION);
      LOG.warn("Could not be emptied, what is left of it is dropped: " + region, e);
      for (IndexEntry entry : fromIndex(region)) {
        residents.drop(entry.file(), entry.offset(), entry.address(), EvictionCause.DAMAGE);
      }
    }
  }

  private void moveOrLeave(Region region) {
    boolean compact = region.liveBytes() < regionBytes * MOSTLY_DEAD;
    long budget = (long) (regionBytes * REINSERTED_SHARE);
    for (IndexEntry entry : liveIn(region)) {
      TierExit.Above above = exit.above(entry);
      long recordBytes =
          RecordLayout.recordBytes(
              RecordLayout.utf8Bytes(entry.file()), BlockAddress.payloadBytes(entry.address()));
      if (isWorthKeeping(entry, above, compact) && recordBytes <= budget && rewrite(entry)) {
        budget -= recordBytes;
      } else {
        leave(entry, above);
      }
    }
  }

  private boolean isWorthKeeping(IndexEntry entry, TierExit.Above above, boolean compact) {
    return switch (above) {
      case YES -> false;
      case VOLATILE -> true;
      case NO -> entry.hits() > 0 || (compact && residents.index().isClaimed(entry.file()));
    };
  }

  private void leave(IndexEntry entry, TierExit.Above above) {
    boolean announced = above == TierExit.Above.NO && exit.announce(entry);
    boolean left =
        residents.drop(entry.file(), entry.offset(), entry.address(), EvictionCause.SIZE);
    if (announced && !left) {
      exit.takeBack(entry);
    }
  }

  /** The blocks that are found in a sealed region. */
  List<IndexEntry> liveIn(Region region) {
    List<IndexEntry> live = new ArrayList<>();
    try {
      for (RegionTable.Entry entry : table(region).entries()) {
        IndexEntry found = residents.index().find(entry.file(), entry.offset());
        long address = BlockAddress.of(region.number, entry.position(), entry.payloadBytes());
        if (found != null && found.address() == address) {
          live.add(found);
        }
      }
    } catch (IOException e) {
      LOG.warn("Cannot read the table of " + region + ", going through the whole index", e);
    }
    if (live.size() < region.liveBlocks()) {
      return fromIndex(region);
    }
    return live;
  }

  private RegionTable table(Region region) throws IOException {
    RegionDevice io = log.io();
    RegionLayout.Footer footer = io.footer(region.slot);
    if (footer == null || footer.firstSequence() != region.firstSequence()) {
      throw new IOException("no footer of this region's life");
    }
    return io.table(region.slot, footer);
  }

  private List<IndexEntry> fromIndex(Region region) {
    List<IndexEntry> live = new ArrayList<>();
    for (Iterator<IndexEntry> all = residents.index().entries(); all.hasNext(); ) {
      IndexEntry entry = all.next();
      if (BlockAddress.region(entry.address()) == region.number) {
        live.add(entry);
      }
    }
    return live;
  }

  /** Writes a block anew. False if that is not possible now. */
  private boolean rewrite(IndexEntry entry) {
    BlockBytes bytes = reader.readForLog(entry);
    if (bytes == null) {
      return false;
    }
    try {
      return append(entry, bytes);
    } finally {
      bytes.release();
    }
  }

  private boolean append(IndexEntry entry, BlockBytes bytes) {
    byte[] name = BlockRecord.nameOf(entry.file());
    int payloadBytes = BlockAddress.payloadBytes(entry.address());
    int recordBytes = RecordLayout.recordBytes(name.length, payloadBytes);
    Room room = log.reserve(entry.file(), name.length, recordBytes);
    if (room == null) {
      return false;
    }
    boolean moved = false;
    try {
      room.payload(name.length, payloadBytes).put(bytes.payload().duplicate());
      long to =
          room.finish(
              name,
              entry.offset(),
              payloadBytes,
              bytes.payloadCrc(),
              bytes.format(),
              entry.traits());
      moved = residents.move(entry.file(), entry.offset(), entry.address(), to);
      if (moved && !log.io().writesInPlace()) {
        residents.region(entry.address()).movedTo(residents.region(to));
      }
    } finally {
      if (!moved) {
        room.giveUp();
      }
    }
    if (moved) {
      // One hit less than before: a block that was hit often stays for more than one round.
      for (int hit = 1; hit < entry.hits(); hit++) {
        residents.index().touch(entry.file(), entry.offset());
      }
      room.keep(entry.file(), entry.offset(), payloadBytes, bytes.format(), entry.traits());
    }
    return moved;
  }
}
