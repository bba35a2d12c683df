// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.Quota;
import dev.terrace.api.TierCounters;
import dev.terrace.api.index.QuotaLimits;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.index.RegionIndex;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * The blocks of a tier. Changes the index together with the live bytes of each region, the
 * counters, and the objects that readers share.
 *
 * <p>Any thread may call any method; none blocks.
 */
public final class Residents implements Quota.Blocks<IndexEntry> {

  /** The objects that readers share. */
  public interface SharedObjects {

    SharedObjects NONE = new SharedObjects() {};

    /** Stops sharing a block that lookups no longer find at its former place. */
    default void remove(CacheFile file, long offset) {}

    /** Stops sharing the blocks of some regions, by their numbers. */
    default void removeRegions(IntPredicate regions) {}
  }

  private final RegionIndex index;
  private final CacheFiles files;
  private final TierRegions regions;
  private final TierCounters counters;
  private final SharedObjects shared;
  private final CorruptionLog damages;
  private final QuotaLimits<IndexEntry> limits;
  private Consumer<IndexEntry> leaving = entry -> {};

  /**
   * No blocks yet.
   *
   * @param capacityBytes of the tier; quotas are shares of it
   */
  public Residents(
      RegionIndex index,
      TierRegions regions,
      SharedObjects shared,
      LongSupplier capacityBytes,
      LogContext context) {
    this.index = index;
    this.files = context.files();
    this.regions = regions;
    this.counters = context.counters();
    this.shared = shared;
    this.damages = new CorruptionLog(context.nanoTime());
    this.limits = new QuotaLimits<>(index, capacityBytes, this);
  }

  public RegionIndex index() {
    return index;
  }

  public QuotaLimits<IndexEntry> limits() {
    return limits;
  }

  /** Sets what receives each block that makes room for another, before it leaves. */
  public void beforeLeaving(Consumer<IndexEntry> receiver) {
    leaving = receiver;
  }

  /** Call it about once a second. */
  public void tick() {
    damages.tick();
  }

  public TierRegions regions() {
    return regions;
  }

  public Region region(long address) {
    return regions.get(BlockAddress.region(address));
  }

  /** A block as a listing shows it. */
  public BlockInfo info(IndexEntry entry) {
    return new BlockInfo(
        new BlockKey(entry.file(), entry.offset()),
        BlockAddress.payloadBytes(entry.address()),
        entry.traits(),
        region(entry.address()).lastPutNanos());
  }

  /** All blocks, weakly consistent. */
  public Iterator<BlockInfo> blocks() {
    return index.entries().map(this::info).iterator();
  }

  /*
   * A region counts the bytes of its blocks whose files are not claimed. Each step reads the claim
   * separately from its change of the index, not under one lock. So a concurrent claim may leave
   * the count wrong by that one block until the region is rewritten: it may be reclaimed a little
   * too early or too late.
   */

  /** Adds a block. False if the key is present. */
  public boolean add(CacheFile file, RegionTable.Entry entry, long address, int recordBytes) {
    return add(file, entry, address, recordBytes, true);
  }

  /**
   * Adds a block during recovery, replacing an older record on the same device. False if there is a
   * newer one.
   */
  public boolean recover(CacheFile file, RegionTable.Entry entry, long address) {
    int recordBytes = recordBytes(RecordLayout.utf8Bytes(entry.file()), address);
    while (!add(file, entry, address, recordBytes, false)) {
      long other = index.address(file, entry.offset());
      if (other != BlockAddress.NONE) {
        if (!isOlder(region(other), region(address))) {
          return false;
        }
        removeAt(file, entry.offset(), other);
      }
    }
    return true;
  }

  /** A device's regions are written one after the other. */
  private static boolean isOlder(Region region, Region than) {
    return region.io == than.io && region.lastSequence() < than.lastSequence();
  }

  private boolean add(
      CacheFile file, RegionTable.Entry entry, long address, int recordBytes, boolean isVerified) {
    Region region = region(address);
    region.added(recordBytes);
    boolean added = false;
    try {
      added = index.insert(file, entry.offset(), address, entry.traits(), isVerified);
    } finally {
      if (!added) {
        region.removed(recordBytes);
      }
    }
    if (added && !index.isClaimed(file)) {
      region.unclaimed(recordBytes);
    }
    return added;
  }

  /** Records whether a file is in use. */
  public void claim(CacheFile file, boolean isClaimed) {
    if (index.claim(file, isClaimed)) {
      int sign = isClaimed ? -1 : 1;
      int nameBytes = RecordLayout.utf8Bytes(file.name());
      index.forEachAddress(
          file, address -> region(address).unclaimed(sign * recordBytes(nameBytes, address)));
    }
  }

  /** Moves a block. False if it is no longer at {@code from}. */
  public boolean move(CacheFile file, long offset, long from, long to) {
    int recordBytes = recordBytes(RecordLayout.utf8Bytes(file.name()), from);
    region(to).added(recordBytes);
    if (!index.replace(file, offset, from, to)) {
      region(to).removed(recordBytes);
      return false;
    }
    region(from).removed(recordBytes);
    if (!index.isClaimed(file)) {
      region(from).unclaimed(-recordBytes);
      region(to).unclaimed(recordBytes);
    }
    counters.rewritten(BlockAddress.payloadBytes(from));
    shared.remove(file, offset);
    return true;
  }

  /** Drops a block if it is at this address. */
  public boolean drop(CacheFile file, long offset, long address, EvictionCause cause) {
    boolean dropped = removeAt(file, offset, address);
    if (dropped) {
      counters.evicted(file, cause, 1);
    }
    return dropped;
  }

  private boolean removeAt(CacheFile file, long offset, long address) {
    boolean isClaimed = index.isClaimed(file);
    boolean isRemoved = index.remove(file, offset, address);
    if (isRemoved) {
      removed(file, RecordLayout.utf8Bytes(file.name()), offset, address, isClaimed);
    }
    return isRemoved;
  }

  /**
   * Drops a block whose bytes are damaged, if it is still at this address, and logs it.
   *
   * @param details more about the reason; empty for none
   * @param cause null if there is none
   */
  public boolean dropDamaged(
      IndexEntry entry, CorruptionLog.Reason reason, String details, Throwable cause) {
    boolean dropped = drop(entry.file(), entry.offset(), entry.address(), EvictionCause.CORRUPTION);
    if (dropped) {
      damages.dropped(entry, region(entry.address()), reason, details, cause);
    }
    return dropped;
  }

  /** Drops the blocks of a region that could not be written, and logs them. */
  public void dropLost(List<RegionTable.Entry> entries, Region region, Throwable cause) {
    for (RegionTable.Entry entry : entries) {
      long address = entry.address(region.number);
      drop(files.find(entry.file()), entry.offset(), address, EvictionCause.WRITE_FAILED);
    }
    // Log all of them: a closing tier has already dropped them, and a restart will not find them.
    damages.lost(entries.stream().map(RegionTable.Entry::file).toList(), region, cause);
  }

  /**
   * Evicts a file's blocks in a range of offsets; returns their number.
   *
   * @param toOffset the last offset of the range, inclusive
   */
  public int evict(CacheFile file, long fromOffset, long toOffset, EvictionCause cause) {
    int evicted = remove(file, fromOffset, toOffset);
    counters.evicted(file, cause, evicted);
    return evicted;
  }

  private int remove(CacheFile file, long fromOffset, long toOffset) {
    int nameBytes = RecordLayout.utf8Bytes(file.name());
    boolean isClaimed = index.isClaimed(file);
    if (fromOffset == toOffset) {
      long address = index.remove(file, fromOffset);
      if (address == BlockAddress.NONE) {
        return 0;
      }
      removed(file, nameBytes, fromOffset, address, isClaimed);
      return 1;
    }
    List<IndexEntry> range = index.removeRange(file, fromOffset, toOffset);
    for (IndexEntry entry : range) {
      removed(file, nameBytes, entry.offset(), entry.address(), isClaimed);
    }
    return range.size();
  }

  /** Stops sharing the objects of some regions, by their numbers. */
  public void unshare(IntPredicate regionNumbers) {
    shared.removeRegions(regionNumbers);
  }

  /** Evicts the blocks of all files. */
  public void evictAll(EvictionCause cause) {
    index.files().forEachRemaining(usage -> evict(usage.file(), 0, RecordLayout.MAX_OFFSET, cause));
  }

  /** Evicts the blocks in some regions, by their numbers. */
  public void evictRegions(IntPredicate numbers, EvictionCause cause) {
    index
        .entries()
        .filter(entry -> numbers.test(BlockAddress.region(entry.address())))
        .forEach(entry -> drop(entry, cause));
  }

  /** Drops a block if it is where it was found. */
  void drop(IndexEntry entry, EvictionCause cause) {
    drop(entry.file(), entry.offset(), entry.address(), cause);
  }

  private void removed(
      CacheFile file, int nameBytes, long offset, long address, boolean isClaimed) {
    int recordBytes = recordBytes(nameBytes, address);
    region(address).removed(recordBytes);
    if (!isClaimed) {
      region(address).unclaimed(-recordBytes);
    }
    shared.remove(file, offset);
  }

  private static int recordBytes(int nameBytes, long address) {
    return RecordLayout.recordBytes(nameBytes, BlockAddress.payloadBytes(address));
  }

  @Override
  public boolean isKept(IndexEntry entry) {
    return limits.keeps(entry.file(), BlockAddress.payloadBytes(entry.address()));
  }

  @Override
  public Iterator<IndexEntry> of(CacheFile file) {
    return index.walk(file);
  }

  @Override
  public int hits(IndexEntry entry) {
    return entry.hits();
  }

  @Override
  public void age(IndexEntry entry) {
    index.age(entry);
  }

  @Override
  public long arrival(IndexEntry entry) {
    return region(entry.address()).lastPutNanos();
  }

  @Override
  public void evict(IndexEntry entry, EvictionCause cause) {
    leaving.accept(entry);
    drop(entry, cause);
  }
}
