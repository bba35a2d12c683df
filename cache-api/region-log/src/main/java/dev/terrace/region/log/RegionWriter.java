// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import dev.terrace.api.BlockTraits;
import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionEpoch;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.format.Sequence;
import dev.terrace.region.memory.WriteBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The writing end of a region: hands out space for records, and writes the table once all records
 * are written.
 *
 * <p>Threads reserve space under a lock, and fill it outside the lock. After {@link #end}, the
 * thread that finishes last passes the region on.
 */
public final class RegionWriter {

  /**
   * Space for one record in an open region. The thread that reserved it writes the record, and then
   * calls {@link #keep} or {@link #giveUp}, once.
   */
  public record Reservation(
      RegionWriter open,
      int position,
      String file,
      int nameBytes,
      int payloadBytes,
      long sequence) {

    /** The cipher of this record's device; null if the device has no data key. */
    public BlockCipher cipher() {
      return open.region().io.device().cipher();
    }

    public int recordBytes() {
      return RecordLayout.recordBytes(nameBytes, payloadBytes);
    }

    /** Where the block will be. */
    public long address() {
      return BlockAddress.of(open.region().number, position, payloadBytes);
    }

    private int payloadPosition() {
      return position + RecordLayout.headerBytes(nameBytes);
    }

    /** The space for the block's bytes, of exactly their size. */
    public ByteBuffer payload() {
      return open.bytes().slice(payloadPosition(), payloadBytes);
    }

    /** The checksum of the block's bytes, once they are written. */
    public int payloadCrc() {
      return open.region().io.crc(open.bytes(), payloadPosition(), payloadBytes);
    }

    /**
     * Writes the header, after the payload. From then on the record can be read.
     *
     * @param payloadCrc for a payload that was copied from another record, that record's checksum,
     *     so that a bit flipped there is found here
     */
    public RegionTable.Entry finish(
        byte[] name, long offset, int payloadCrc, int format, int form, BlockTraits traits) {
      RegionTable.Entry entry =
          new RegionTable.Entry(
              position, payloadBytes, file, offset, sequence, traits, format == 0);
      Region region = open.region();
      BlockRecord.write(open.bytes(), region.life(), name, entry, payloadCrc, format, form);
      region.io.settle();
      return entry;
    }

    /**
     * Completes the record.
     *
     * @param plainBytes the size of a block that was put; 0 for one that was moved
     */
    public void keep(RegionTable.Entry entry, int plainBytes) {
      open.complete(entry, plainBytes);
    }

    /** Leaves no record. Counts the writer out even if the memory fails. */
    public void giveUp() {
      try {
        BlockRecord.giveUp(open.bytes(), position);
        open.region().io.settle();
      } finally {
        open.takeBack(this);
      }
    }
  }

  private final Region region;
  private final WriteBuffer buffer;
  private final int limit;
  private final Consumer<RegionWriter> whenFilled;
  private final List<RegionTable.Entry> entries = new ArrayList<>();

  /** The files of the records, each with its number in the table. */
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  private int position = RegionLayout.FIRST_RECORD;
  private int complete = RegionLayout.FIRST_RECORD;
  private volatile int appended;
  private int promisedTableBytes;
  private long putBytes;
  private long putPlainBytes;
  private int writers;
  private boolean ended;

  /**
   * A region without records.
   *
   * @param whenFilled receives the region after its end, once the last record is written or given
   *     up
   */
  RegionWriter(
      Region region, WriteBuffer buffer, int regionBytes, Consumer<RegionWriter> whenFilled) {
    this.region = region;
    this.buffer = buffer;
    this.limit = RegionLayout.footerPosition(regionBytes);
    this.whenFilled = whenFilled;
  }

  public Region region() {
    return region;
  }

  public ByteBuffer bytes() {
    return buffer.bytes();
  }

  WriteBuffer buffer() {
    return buffer;
  }

  /**
   * Reserves space for a record.
   *
   * @return null if there is not enough
   */
  synchronized Reservation reserve(
      String file, int nameBytes, int payloadBytes, Sequence sequence, LongSupplier nanoTime) {
    int recordBytes = RecordLayout.recordBytes(nameBytes, payloadBytes);
    int forTable = RegionTable.ENTRY_BYTES;
    if (!numbers.containsKey(file)) {
      forTable += RegionTable.fileBytes(nameBytes, RegionTable.ORIGIN_ROOM_BYTES);
    }
    if (ended || position + recordBytes > limit - promisedTableBytes - forTable) {
      return null;
    }
    Reservation reservation =
        new Reservation(this, position, file, nameBytes, payloadBytes, sequence.next());
    region.lastPut(reservation.sequence(), nanoTime.getAsLong());
    BlockRecord.reserve(bytes(), position, region.life(), recordBytes, reservation.sequence());
    // Before the writer is counted: a later fault would leave the region open for good.
    region.io.settle();
    numbers.putIfAbsent(file, numbers.size());
    promisedTableBytes += forTable;
    position += recordBytes;
    writers++;
    return reservation;
  }

  private void complete(RegionTable.Entry entry, int plainBytes) {
    boolean filled;
    synchronized (this) {
      try {
        entries.add(entry);
        if (plainBytes > 0) {
          putBytes += entry.payloadBytes();
          putPlainBytes += plainBytes;
        }
      } finally {
        // A region whose writer is never counted out is never sealed.
        filled = leave();
      }
    }
    if (filled) {
      whenFilled.accept(this);
    }
  }

  private void takeBack(Reservation reservation) {
    boolean filled;
    synchronized (this) {
      if (!ended && reservation.position() + reservation.recordBytes() == position) {
        position = reservation.position();
      }
      promisedTableBytes -= RegionTable.ENTRY_BYTES;
      filled = leave();
    }
    if (filled) {
      whenFilled.accept(this);
    }
  }

  /** Counts a writer out, under the lock. True for the last writer of a region that has ended. */
  private boolean leave() {
    if (--writers == 0) {
      complete = position;
    }
    return writers == 0 && ended;
  }

  /**
   * Stops handing out space.
   *
   * @return true if the caller must flush the region: no writer is left, and this call ended it
   */
  synchronized boolean end() {
    boolean first = !ended;
    ended = true;
    region.filled(position);
    return first && writers == 0;
  }

  /** Where the next record would start. */
  public synchronized int position() {
    return position;
  }

  /** The position before which all records are complete. */
  public synchronized int complete() {
    return complete;
  }

  /** The end of the last record that is on the device; 0 if none is. */
  public int appended() {
    return appended;
  }

  /** Sets how far the records are on the device. By the worker. */
  public void appended(int end) {
    appended = end;
  }

  /** The records whose writing is complete. */
  public synchronized List<RegionTable.Entry> completed() {
    return List.copyOf(entries);
  }

  /**
   * Writes the table. Call it when the region has ended and its last record is written: the region
   * no longer changes, so no lock is held while the origins are queried. Write the footer once the
   * table is durable.
   *
   * @param originOf the region and table of a file, by its name
   * @return the footer, and where the table begins
   */
  public RegionLayout.Seal writeTable(long sealedMillis, UnaryOperator<String> originOf) {
    int tableBytes = entries.size() * RegionTable.ENTRY_BYTES;
    for (String name : numbers.keySet()) {
      tableBytes += RegionTable.fileBytes(RecordLayout.utf8Bytes(name), 0);
    }
    Map<String, String> kept = fitting(originOf, limit - position - tableBytes);
    tableBytes += kept.values().stream().mapToInt(RecordLayout::utf8Bytes).sum();
    int start = limit - tableBytes;
    ByteBuffer table = RecordLayout.littleEndian(bytes().slice(start, tableBytes));
    new RegionTable(entries, kept).write(table, numbers);
    RegionLayout.Footer footer =
        new RegionLayout.Footer(
            region.slot,
            region.life(),
            region.firstSequence(),
            region.lastSequence(),
            sealedMillis,
            entries.size(),
            numbers.size(),
            tableBytes,
            region.life().check(RegionEpoch.Part.TABLE, start, bytes(), start, limit),
            putBytes,
            putPlainBytes);
    return new RegionLayout.Seal(footer, position, start);
  }

  /** The origins for which there is room. Those of usual length fit: room was kept for them. */
  private Map<String, String> fitting(UnaryOperator<String> originOf, int roomBytes) {
    Map<String, String> fitting = new HashMap<>();
    int spareBytes = roomBytes - numbers.size() * RegionTable.ORIGIN_ROOM_BYTES;
    for (String name : numbers.keySet()) {
      String origin = originOf.apply(name);
      int longerBytes = Math.max(0, RecordLayout.utf8Bytes(origin) - RegionTable.ORIGIN_ROOM_BYTES);
      if (longerBytes == 0 || longerBytes <= spareBytes) {
        fitting.put(name, origin);
        spareBytes -= longerBytes;
      }
    }
    return fitting;
  }
}
