// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.inspect;

import dev.terrace.api.Amount;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.FileUsage;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.StoredRegions;
import dev.terrace.region.device.StoredRegions.Found;
import dev.terrace.region.device.Tombstones;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RecordWalk;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.format.TombstoneList.Eviction;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.memory.DirectMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/**
 * The contents of a stopped cache, or a copy of one: the blocks that a restart would bring back,
 * and the damage. If a block has several records, the newest counts.
 *
 * <p>Trusts what a restart trusts (see {@code Recovery}). Takes about 32 bytes per block off the
 * heap, and one region while it runs. Immutable afterwards, and thus thread-safe.
 */
public final class CacheInspection {

  /**
   * A block and its place.
   *
   * @param sequence grows with every block that a device takes
   * @param region the region's number
   * @param regionMillis when the region was sealed, or else opened, in milliseconds since 1970
   */
  public record Stored(BlockKey key, long sequence, int region, long regionMillis) {}

  private final Device device;
  private final StoredRegions stored;
  private final Map<RegionState, Integer> regions = new EnumMap<>(RegionState.class);
  private final CacheFiles files = new CacheFiles();
  private final RegionIndex index = new RegionIndex(new DirectMemory(ByteBuffer::allocateDirect));
  private final List<String> damages = new ArrayList<>();
  private final Map<String, List<Eviction>> evictions;

  /** The last sequence of each region, by its slot. */
  private final long[] lastSequences;

  private long records;
  private long recordedBytes;
  private long rightBlocks;
  private Stored oldest;
  private Stored newest;
  private ByteBuffer whole;

  /**
   * Inspects a cache. Damage is a result, not an error.
   *
   * @param device a device without writers, such as a {@link ReadOnlyDevice}
   * @param everyBlock whether to check each record against its region's table and the checksums; if
   *     not, reads headers, footers and tables, and the whole of regions that have no table
   * @param progress receives the number of regions read so far, after each
   */
  public CacheInspection(Device device, boolean everyBlock, IntConsumer progress) {
    this.device = device;
    this.stored = new StoredRegions(device, this::bytes);
    this.evictions = evictions(device);
    this.lastSequences = new long[device.regions()];
    for (int slot = 0; slot < lastSequences.length; slot++) {
      regions.merge(read(slot, everyBlock), 1, Integer::sum);
      progress.accept(slot + 1);
    }
  }

  private RegionState read(int slot, boolean everyBlock) {
    try {
      Found region = stored.read(slot);
      RegionState state = state(region);
      if (everyBlock && !region.records().isEmpty()) {
        check(region);
      }
      take(region);
      return state;
    } catch (IOException e) {
      damaged(slot, 0, "unreadable: " + e.getMessage());
      return RegionState.DAMAGED;
    }
  }

  /** Also reports damage, except that of records in a table. */
  private RegionState state(Found region) throws IOException {
    int before = damages.size();
    region.flaws().forEach(flaw -> damaged(region.slot(), flaw.position(), flaw.reason()));
    if (region.walk() != null) {
      examine(region, region.walk());
    }
    if (damages.size() > before) {
      return RegionState.DAMAGED;
    }
    RegionState unsealed = region.records().isEmpty() ? RegionState.EMPTY : RegionState.OPEN;
    return region.footer() == null ? unsealed : RegionState.SEALED;
  }

  /** Reports damaged records, and a walk that ended before the last record. */
  private void examine(Found region, RecordWalk walk) throws IOException {
    for (int position : walk.damaged()) {
      damaged(region.slot(), position, "corrupt record");
    }
    int later = walk.roomAfterStop(stored.records(region.slot()), region.life());
    if (later >= 0) {
      String reason = "corrupt record; the records up to position=" + later + " are lost with it";
      damaged(region.slot(), walk.stop(), reason);
    }
  }

  private void check(Found region) throws IOException {
    ByteBuffer bytes = stored.records(region.slot());
    for (RegionTable.Entry entry : region.records()) {
      String fault = fault(bytes, entry, region);
      if (fault == null) {
        rightBlocks++;
      } else {
        String block = " file=" + entry.file() + " offset=" + entry.offset();
        damaged(region.slot(), entry.position() + block, fault);
      }
    }
  }

  private static String fault(ByteBuffer bytes, RegionTable.Entry entry, Found region) {
    int position = entry.position();
    BlockRecord record = BlockRecord.read(bytes, position, region.life(), position);
    if (record == null) {
      return bytes.getInt(position) == RecordLayout.MAGIC
          ? "corrupt record header"
          : "no record here";
    }
    if (!BlockRecord.isOf(bytes, position, entry.file(), entry.offset(), entry.payloadBytes())
        || record.sequence() != entry.sequence()
        || !record.traits().equals(entry.traits())
        || record.format() == 0 != entry.isDurable()) {
      return "not the record in the region's table: file=%s offset=%s sequence=%s"
          .formatted(record.file(), record.offset(), record.sequence());
    }
    if (record.sequence() < region.firstSequence() || record.sequence() > region.lastSequence()) {
      return "record of an earlier use of the region: sequence=" + record.sequence();
    }
    return record.hasRightPayload(bytes, position) ? null : "corrupt payload";
  }

  /** Large reads, as of a whole region, share one buffer: the next one overwrites the last. */
  private ByteBuffer bytes(int slot, int position, int lengthBytes) throws IOException {
    ByteBuffer target;
    if (lengthBytes < RegionLayout.footerPosition(device.regionBytes())) {
      target = ByteBuffer.allocate(lengthBytes);
    } else {
      whole = whole == null ? ByteBuffer.allocateDirect(lengthBytes) : whole;
      target = whole;
    }
    device.read(slot, position, target.clear());
    return RecordLayout.littleEndian(target.clear());
  }

  private void damaged(int slot, Object position, String reason) {
    damages.add("region=" + slot + " position=" + position + ": " + reason);
  }

  /** A list that cannot be read counts as empty. */
  private static Map<String, List<Eviction>> evictions(Device device) {
    try {
      return Tombstones.newest(device).evictions().stream()
          .collect(Collectors.groupingBy(Eviction::file));
    } catch (IOException e) {
      return Map.of();
    }
  }

  private void take(Found region) {
    lastSequences[region.slot()] = region.lastSequence();
    for (RegionTable.Entry entry : region.records()) {
      records++;
      recordedBytes += entry.payloadBytes();
      if (entry.isDurable() && !isEvicted(entry)) {
        recover(region, entry);
      }
    }
  }

  private boolean isEvicted(RegionTable.Entry entry) {
    return evictions.getOrDefault(entry.file(), List.of()).stream()
        .anyMatch(each -> each.concerns(entry.offset(), entry.sequence()));
  }

  /** Adds a record to the index, unless the index has a newer one of the same block. */
  private void recover(Found region, RegionTable.Entry entry) {
    long address = entry.address(region.slot());
    CacheFile file = files.hold(entry.file());
    if (!index.insert(file, entry.offset(), address, entry.traits(), false)) {
      long other = index.address(file, entry.offset());
      if (lastSequences[BlockAddress.region(other)] <= region.lastSequence()) {
        index.replace(file, entry.offset(), other, address);
      }
    }
    file.release();
    if (oldest == null || entry.sequence() < oldest.sequence) {
      oldest = stored(region, entry);
    }
    if (newest == null || entry.sequence() > newest.sequence) {
      newest = stored(region, entry);
    }
  }

  private Stored stored(Found region, RegionTable.Entry entry) {
    return new Stored(
        new BlockKey(files.find(entry.file()), entry.offset()),
        entry.sequence(),
        region.slot(),
        region.writtenMillis());
  }

  public int regions(RegionState state) {
    return regions.getOrDefault(state, 0);
  }

  /** The blocks that a restart would bring back. */
  public Amount live() {
    return new Amount(index.blocks(), index.payloadBytes());
  }

  /**
   * Records that no restart brings back: older ones of {@link #live} blocks, evicted ones, and
   * those that only the process that wrote them could decode.
   */
  public Amount dead() {
    return new Amount(records - index.blocks(), recordedBytes - index.payloadBytes());
  }

  /** The files of the {@link #live} blocks, those with the most bytes first. */
  public List<FileUsage> files() {
    List<FileUsage> files = new ArrayList<>();
    index.files().forEachRemaining(files::add);
    files.sort(
        Comparator.comparingLong(FileUsage::payloadBytes)
            .reversed()
            .thenComparing(usage -> usage.file().name()));
    return files;
  }

  /** The block with the oldest record that a restart would consider. */
  public Optional<Stored> oldest() {
    return Optional.ofNullable(oldest);
  }

  public Optional<Stored> newest() {
    return Optional.ofNullable(newest);
  }

  /** The damage in the parts that were read, each in one line for people. */
  public List<String> damages() {
    return List.copyOf(damages);
  }

  /** How many records were read and found right, {@link #dead} ones included. */
  public long rightBlocks() {
    return rightBlocks;
  }

  public enum RegionState {
    /** Full, or ended by a clean stop: header, footer and table are whole. */
    SEALED,
    /** Has records, but no footer yet, because the process was killed. */
    OPEN,
    EMPTY,
    /** Its header, footer, table or chain of records is damaged. */
    DAMAGED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
