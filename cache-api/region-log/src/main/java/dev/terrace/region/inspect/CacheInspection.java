// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.inspect;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.FileUsage;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.StoredRegions.Found;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.EvictionList;
import dev.terrace.region.format.EvictionList.Eviction;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.index.RegionIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The contents of a stopped cache, or a copy of one: the blocks that a restart would bring back,
 * and the damage. Of several copies of a block the newest counts.
 *
 * <p>Memory: about 32 bytes a block off the heap while it runs, and one region. Immutable
 * afterwards, and thus thread-safe.
 */
public final class CacheInspection {

  /** The depth of an inspection. */
  public enum Depth {
    /** Headers, footers and tables; all of those regions that have no table. */
    TABLES,
    /**
     * All blocks: what {@link #TABLES} reads, and each record checked against table and checksums.
     */
    BLOCKS
  }

  /** Receives the progress. */
  @FunctionalInterface
  public interface Watcher {

    /** Called after each region. */
    void done(int regions, int ofRegions);
  }

  /**
   * So many blocks.
   *
   * @param payloadBytes their encoded bytes
   */
  public record Tally(long blocks, long payloadBytes) {

    private static final Tally NONE = new Tally(0, 0);

    private Tally plus(int bytes) {
      return new Tally(blocks + 1, payloadBytes + bytes);
    }
  }

  /**
   * A block and its place.
   *
   * @param sequence grows with every block that a device takes
   * @param region the region's number
   * @param regionMillis when the region was sealed, or else opened, in milliseconds since 1970
   */
  public record Stored(BlockKey key, long sequence, int region, long regionMillis) {}

  private final Map<RegionState, Integer> regions = new EnumMap<>(RegionState.class);
  private final RegionIndex index = RegionIndex.patient();
  private final Tally[] types = new Tally[BlockTraits.TYPES];
  private final List<Damage> damages = new ArrayList<>();
  private final List<FileUsage> files = new ArrayList<>();
  private Map<String, List<Eviction>> evictions = Map.of();
  private Tally live = Tally.NONE;
  private Tally superseded = Tally.NONE;
  private Tally fleeting = Tally.NONE;
  private long rightBlocks;
  private Stored oldest;
  private Stored newest;

  private CacheInspection() {}

  /**
   * Inspects a cache. Damage is a result, not an error.
   *
   * @param device a device without writers, such as a {@link ReadOnlyDevice}
   * @param watcher receives the progress
   */
  public static CacheInspection of(Device device, Depth depth, Watcher watcher) {
    CacheInspection made = new CacheInspection();
    made.run(device, depth, watcher);
    return made;
  }

  /** A list that cannot be read counts as none. */
  private static Map<String, List<Eviction>> evictions(Device device) {
    try {
      return EvictionList.newest(device.evictions(0), device.evictions(1), device.secret())
          .evictions()
          .stream()
          .collect(Collectors.groupingBy(Eviction::file));
    } catch (IOException e) {
      return Map.of();
    }
  }

  private void run(Device device, Depth depth, Watcher watcher) {
    evictions = evictions(device);
    RegionExam exam = new RegionExam(device, damages::add);
    List<RegionExam.Contents> full = new ArrayList<>();
    int all = device.regions();
    for (int slot = 0; slot < all; slot++) {
      RegionExam.Contents looked = exam.look(slot);
      if (looked.isFull()) {
        full.add(looked);
      } else {
        count(looked.state());
      }
    }
    // The newest first, as a restart does it, so that of each block the newest copy comes first.
    full.sort(
        Comparator.comparingLong((RegionExam.Contents each) -> each.region().lastSequence())
            .reversed());
    int done = all - full.size();
    for (RegionExam.Contents looked : full) {
      RegionExam.Contents contents = exam.read(looked);
      if (depth == Depth.BLOCKS) {
        rightBlocks += exam.check(contents.region());
      }
      count(contents.state());
      take(contents.region());
      done++;
      watcher.done(done, all);
    }
    index.files().forEachRemaining(files::add);
    files.sort(
        Comparator.comparingLong(FileUsage::payloadBytes)
            .reversed()
            .thenComparing(FileUsage::file));
    index.clear((offset, address, traits, hits) -> {});
  }

  private void count(RegionState state) {
    regions.merge(state, 1, Integer::sum);
  }

  private void take(Found region) {
    List<RegionTable.Entry> records = region.records();
    for (int i = records.size() - 1; i >= 0; i--) {
      RegionTable.Entry entry = records.get(i);
      int bytes = entry.payloadBytes();
      boolean isOldCopy = index.address(entry.file(), entry.offset()) != BlockAddress.NONE;
      if (!entry.isDurable() || (isEvicted(entry) && !isOldCopy)) {
        fleeting = fleeting.plus(bytes);
      } else if (isNewest(region.slot(), entry)) {
        live = live.plus(bytes);
        int type = entry.traits().type();
        types[type] = (types[type] == null ? Tally.NONE : types[type]).plus(bytes);
        age(region, entry);
      } else {
        superseded = superseded.plus(bytes);
      }
    }
  }

  private boolean isEvicted(RegionTable.Entry entry) {
    return evictions.getOrDefault(entry.file(), List.of()).stream()
        .anyMatch(each -> each.concerns(entry.offset(), entry.sequence()));
  }

  private boolean isNewest(int slot, RegionTable.Entry entry) {
    long address = BlockAddress.of(slot, entry.position(), entry.payloadBytes());
    return index.insert(entry.file(), entry.offset(), address, entry.traits(), false);
  }

  private void age(Found region, RegionTable.Entry entry) {
    if (oldest == null || entry.sequence() < oldest.sequence) {
      oldest = stored(region, entry);
    }
    if (newest == null || entry.sequence() > newest.sequence) {
      newest = stored(region, entry);
    }
  }

  private static Stored stored(Found region, RegionTable.Entry entry) {
    return new Stored(
        new BlockKey(entry.file(), entry.offset()),
        entry.sequence(),
        region.slot(),
        region.writtenMillis());
  }

  /** How many regions are in a state. */
  public int regions(RegionState state) {
    return regions.getOrDefault(state, 0);
  }

  /** The blocks that a restart would bring back. */
  public Tally live() {
    return live;
  }

  /** Older copies of {@link #live} blocks. */
  public Tally superseded() {
    return superseded;
  }

  /**
   * Blocks that no restart brings back: those whose form only the process that wrote them knew, and
   * evicted ones.
   */
  public Tally fleeting() {
    return fleeting;
  }

  /** The {@link #live} blocks of a type, which is a number from 0 to 15. */
  public Tally ofType(int type) {
    return types[type] == null ? Tally.NONE : types[type];
  }

  /** The files of the {@link #live} blocks, those with the most bytes first. */
  public List<FileUsage> files() {
    return List.copyOf(files);
  }

  /** The block that was written first, if there is any. */
  public Optional<Stored> oldest() {
    return Optional.ofNullable(oldest);
  }

  /** The block that was written last, if there is any. */
  public Optional<Stored> newest() {
    return Optional.ofNullable(newest);
  }

  /** The damage in the parts that were read. */
  public List<Damage> damages() {
    return List.copyOf(damages);
  }

  /** How many records were read and found right, copies and fleeting ones included. */
  public long rightBlocks() {
    return rightBlocks;
  }

  /** The state of a region of a stopped cache. */
  public enum RegionState {
    /** Full, or ended by a clean stop: header, footer and table are whole. */
    SEALED,
    /** On memory: has records, and no footer yet, because the process was killed. */
    OPEN,
    /** Holds nothing. */
    EMPTY,
    /** Its header, footer, table or chain of records is damaged. */
    DAMAGED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A part of a cache's files that differs from what was written.
   *
   * @param region the region's number
   * @param position where in the region, in bytes
   * @param block the lost block; empty if the damage is not in a block
   * @param reason the kind of damage
   */
  public record Damage(int region, int position, Optional<BlockKey> block, String reason) {

    /** One line for people. */
    @Override
    public String toString() {
      String ofBlock =
          block.map(key -> " file=" + key.file() + " offset=" + key.offset()).orElse("");
      return "region=%s position=%s%s: %s".formatted(region, position, ofBlock, reason);
    }
  }
}
