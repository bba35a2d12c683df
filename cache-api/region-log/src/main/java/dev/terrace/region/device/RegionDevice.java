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
package dev.terrace.region.device;

import dev.terrace.api.TierCounters;
import dev.terrace.region.format.DamagedRegionException;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.memory.MappedFaults;
import dev.terrace.region.memory.ReadCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/**
 * A device as the region log uses it: whole structures instead of bytes, buffers aligned, and each
 * operation reported to the device's health.
 */
public final class RegionDevice {

  /** What a footer and a header are read and written with at least. */
  private static final int PAGE_BYTES = 4096;

  /** Room between records and table that is worth two writes instead of one. */
  private static final int WORTHWHILE_GAP_BYTES = 256 << 10;

  private final Device device;
  private final DeviceHealth health;
  private final WritePacer pacer;
  private final DeviceBuffers buffers;
  private final CallerReads callerReads;
  private final RoomWait roomWait = new RoomWait();
  private final int edgeBytes;

  /** The regions' memory where they are memory: for absolute access only, and readable for good. */
  private final ByteBuffer[] memories;

  /** A device without a limit of what is written to it. */
  public RegionDevice(Device device, DeviceHealth health) {
    this(device, health, null, DirectMemory.JVM, Runnable::run, new TierCounters());
  }

  /**
   * A device.
   *
   * @param pacer who says when something may be written; null if there is no limit
   * @param memory where the buffers come from
   * @param readers runs reads of callers while the device is slow
   */
  public RegionDevice(
      Device device,
      DeviceHealth health,
      WritePacer pacer,
      DirectMemory memory,
      Executor readers,
      TierCounters counters) {
    this.callerReads = new CallerReads(this::readInside, health, readers, counters);
    this.pacer = pacer;
    this.buffers = new DeviceBuffers(device, memory);
    this.device = device;
    this.health = health;
    this.edgeBytes = Math.min(device.regionBytes(), Math.max(PAGE_BYTES, device.alignmentBytes()));
    this.memories = new ByteBuffer[device.isMapped() ? device.regions() : 0];
    for (int slot = 0; slot < memories.length; slot++) {
      memories[slot] = RecordLayout.littleEndian(device.memory(slot));
    }
  }

  /** The device itself. */
  public Device device() {
    return device;
  }

  /** Whether the device is used, and how. */
  public DeviceHealth health() {
    return health;
  }

  /** Where puts wait for room on this device. */
  public RoomWait roomWait() {
    return roomWait;
  }

  /** The buffers for the device's I/O. */
  public DeviceBuffers buffers() {
    return buffers;
  }

  /**
   * Reads into the target's remaining bytes, for the log itself; position and length must be
   * aligned.
   */
  public void read(int slot, int position, ByteBuffer target) throws IOException {
    health.begin();
    try {
      readInside(slot, position, target);
    } finally {
      health.end();
    }
  }

  /**
   * Fills a copy from a region, for one of a bounded number of callers.
   *
   * @param region pinned by the caller
   * @return false if the device has no place for the caller, or did not answer in time
   */
  public boolean readForCaller(CallerReads.Pinned region, int slot, int position, ReadCopy copy)
      throws IOException {
    return callerReads.read(region, slot, position, copy);
  }

  /** Reads, counted as inside the device already. */
  private void readInside(int slot, int position, ByteBuffer target) throws IOException {
    try {
      device.read(slot, position, target);
    } catch (IOException e) {
      health.readFailed(e);
      throw e;
    } catch (RuntimeException e) {
      health.readFailed(new IOException(e));
      throw new IOException(e);
    }
    health.succeeded();
  }

  /** Writes the source's remaining bytes: in pieces, each at its turn, if there is a limit. */
  private void write(int slot, int position, ByteBuffer source) throws IOException {
    if (pacer == null) {
      writePiece(slot, position, source);
      return;
    }
    int end = source.limit();
    int at = position;
    while (source.position() < end) {
      int length = Math.min(pacer.pieceBytes(), end - source.position());
      awaitTurn(length);
      writePiece(slot, at, source.limit(source.position() + length));
      at += length;
    }
  }

  /** Nobody waits for room meanwhile: what the write limit keeps out is refused at once. */
  private void awaitTurn(int bytes) {
    long turn = pacer.turn(bytes);
    if (pacer.isDue(turn)) {
      return;
    }
    roomWait.paced(true);
    try {
      pacer.await(turn);
    } finally {
      roomWait.paced(false);
    }
  }

  private void writePiece(int slot, int position, ByteBuffer source) throws IOException {
    change(() -> device.write(slot, position, source), health::succeeded);
  }

  private void force(int slot, int position, int lengthBytes) throws IOException {
    change(() -> device.force(slot, position, lengthBytes), health::forced);
  }

  @FunctionalInterface
  private interface Change {
    void run() throws IOException;
  }

  /** Lets the device write or force. */
  private void change(Change change, Runnable succeeded) throws IOException {
    health.begin();
    try {
      change.run();
      if (device.isMapped()) {
        MappedFaults.settle();
      }
      succeeded.run();
    } catch (IOException e) {
      health.writeFailed(e);
      throw e;
    } catch (RuntimeException e) {
      health.writeFailed(new IOException(e));
      throw new IOException(e);
    } catch (InternalError e) {
      IOException fault = fault(e);
      health.writeFailed(fault);
      throw fault;
    } finally {
      health.end();
    }
  }

  /** The exception for a fault of mapped memory. */
  public IOException fault(InternalError error) {
    if (!MappedFaults.isFault(error)) {
      throw error;
    }
    return new IOException("memory fails, path=" + device.path(), error);
  }

  /** A region's memory, little-endian; for absolute access only. Also after the device's end. */
  public ByteBuffer memory(int slot) {
    return memories[slot];
  }

  /** A copy of a region without what follows the records' last possible byte. By the worker. */
  public ByteBuffer records(int slot) throws IOException {
    return bytes(slot, 0, RegionLayout.footerPosition(device.regionBytes()));
  }

  /** Reads the device's last bytes: a file that was cut off lacks them. By the worker. */
  public void checkEnd() throws IOException {
    read(
        device.regions() - 1, device.regionBytes() - edgeBytes, buffers.scratch().limit(edgeBytes));
  }

  /**
   * Any bytes of a region, in a buffer that begins at {@code position}. By the worker. Copied from
   * memory, too, by a read that fails where an access would kill the process.
   */
  ByteBuffer bytes(int slot, int position, int lengthBytes) throws IOException {
    ByteBuffer bytes = RecordLayout.littleEndian(ByteBuffer.allocate(lengthBytes));
    int alignment = device.alignmentBytes();
    int end = RecordLayout.align(position + lengthBytes, alignment);
    int start = position & -alignment;
    while (start < end) {
      ByteBuffer piece = buffers.scratch();
      piece.limit(Math.min(piece.capacity(), end - start));
      read(slot, start, piece);
      int from = Math.max(position, start);
      int to = Math.min(position + lengthBytes, start + piece.limit());
      bytes.put(from - position, piece, from - start, to - from);
      start += piece.limit();
    }
    return bytes;
  }

  /** Whether a part of a region holds nothing but zeros. */
  public boolean isZero(int slot, int position, int lengthBytes) throws IOException {
    return bytes(slot, position, lengthBytes).mismatch(ByteBuffer.allocate(lengthBytes)) < 0;
  }

  /** The region's footer; null if there is no whole one. */
  public RegionLayout.Footer footer(int slot) throws IOException {
    int position = RegionLayout.footerPosition(device.regionBytes());
    RegionLayout.Footer footer =
        RegionLayout.Footer.read(
            bytes(slot, position, RegionLayout.FOOTER_BYTES), device.secret(), slot);
    return footer != null && footer.fits(device.regionBytes(), device.generation()) ? footer : null;
  }

  /** The region's header; null if there is no whole one that belongs here. */
  public RegionLayout.Header header(int slot) throws IOException {
    RegionLayout.Header header =
        RegionLayout.Header.read(bytes(slot, 0, RegionLayout.HEADER_BYTES), device.secret(), slot);
    return header != null && header.fits(device.generation()) ? header : null;
  }

  /**
   * The table of a sealed region.
   *
   * @throws IOException if it cannot be read; a {@link DamagedRegionException} if it is damaged
   */
  public RegionTable table(int slot, RegionLayout.Footer footer) throws IOException {
    int end = RegionLayout.footerPosition(device.regionBytes());
    int start = end - footer.tableBytes();
    ByteBuffer table = bytes(slot, start, footer.tableBytes());
    return RegionTable.read(table, footer, device.regionBytes());
  }

  /**
   * Makes sure that a crash finds no sealed region here, and on memory an open one.
   *
   * @param header what an open region on memory begins with
   */
  public void prepare(int slot, RegionLayout.Header header) throws IOException {
    int regionBytes = device.regionBytes();
    int footer = RegionLayout.footerPosition(regionBytes);
    if (device.isMapped()) {
      // Faults of these stores come to light in force.
      ByteBuffer memory = memory(slot);
      for (int i = 0; i < RegionLayout.FOOTER_BYTES; i += Long.BYTES) {
        memory.putLong(footer + i, 0);
      }
      force(slot, footer, RegionLayout.FOOTER_BYTES);
      header.write(memory);
      force(slot, 0, RegionLayout.HEADER_BYTES);
      return;
    }
    if (health.isFull()) {
      writeZeros(slot, 0, regionBytes);
      health.wroteRegion();
    } else {
      writeZeros(slot, regionBytes - edgeBytes, regionBytes);
    }
    force(slot, regionBytes - edgeBytes, edgeBytes);
  }

  private void writeZeros(int slot, int from, int to) throws IOException {
    ByteBuffer zeros = buffers.scratch();
    zeros.put(new byte[zeros.capacity()]);
    for (int at = from; at < to; at += zeros.limit()) {
      write(slot, at, zeros.clear().limit(Math.min(zeros.capacity(), to - at)));
    }
  }

  /** Makes durable what a region on memory holds so far. */
  public void persist(int slot, int endBytes) throws IOException {
    force(slot, 0, endBytes);
  }

  /** Writes a region: first what it holds, then, when that is durable, its footer. */
  public void seal(int slot, RegionLayout.Header header, RegionLayout.Seal seal, ByteBuffer bytes)
      throws IOException {
    int regionBytes = device.regionBytes();
    int footer = RegionLayout.footerPosition(regionBytes);
    if (device.isMapped()) {
      force(slot, 0, footer);
      seal.footer().write(RecordLayout.littleEndian(bytes.slice(footer, regionBytes - footer)));
      force(slot, footer, RegionLayout.FOOTER_BYTES);
      return;
    }
    header.write(bytes);
    int edge = regionBytes - edgeBytes;
    int recordsEnd = Math.min(edge, RecordLayout.align(seal.recordsEnd(), edgeBytes));
    int tableStart = Math.min(edge, seal.tableStart() & -edgeBytes);
    boolean whole = health.isFull() || tableStart - recordsEnd <= WORTHWHILE_GAP_BYTES;
    if (!whole) {
      write(slot, 0, bytes.slice(0, recordsEnd));
      if (tableStart < edge) {
        write(slot, tableStart, bytes.slice(tableStart, edge - tableStart));
      }
    } else {
      write(slot, 0, bytes.slice(0, edge));
    }
    force(slot, 0, edge);
    seal.footer().write(RecordLayout.littleEndian(bytes.slice(footer, regionBytes - footer)));
    write(slot, edge, bytes.slice(edge, edgeBytes));
    force(slot, edge, edgeBytes);
    if (whole) {
      health.wroteRegion();
    }
  }

  /** Whether the device answers. */
  public boolean probe() {
    try {
      device.read(0, 0, buffers.scratch().limit(edgeBytes));
      int end = device.regionBytes() - edgeBytes;
      device.read(device.regions() - 1, end, buffers.scratch().limit(edgeBytes));
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
