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
import dev.terrace.region.memory.MappedFaults;
import dev.terrace.region.memory.ReadCopy;
import dev.terrace.region.memory.WriteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/**
 * A device as the region log uses it: whole structures instead of bytes, buffers aligned, and each
 * operation reported to the device's health. How a region is written depends on its kind: {@code
 * MappedRegionDevice}, {@code BufferedRegionDevice}.
 */
public abstract class RegionDevice {

  /** What a footer and a header are read and written with at least. */
  private static final int PAGE_BYTES = 4096;

  final Device device;
  final DeviceHealth health;
  final DeviceBuffers buffers;
  private final CallerReads callerReads;
  private final RoomWait roomWait = new RoomWait();

  /** What a region's footer is written with, and its end is read with. */
  final int edgeBytes;

  RegionDevice(
      Device device,
      DeviceHealth health,
      DeviceBuffers buffers,
      Executor readers,
      TierCounters counters) {
    this.device = device;
    this.health = health;
    this.buffers = buffers;
    this.edgeBytes = Math.min(device.regionBytes(), Math.max(PAGE_BYTES, device.alignmentBytes()));
    this.callerReads = new CallerReads(this::readInside, health, readers, counters);
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

  final void force(int slot, int position, int lengthBytes) throws IOException {
    change(() -> device.force(slot, position, lengthBytes), health::forced);
  }

  /** A write or a force. */
  @FunctionalInterface
  interface Change {
    void run() throws IOException;
  }

  /** Lets the device write or force. */
  final void change(Change change, Runnable succeeded) throws IOException {
    health.begin();
    try {
      change.run();
      settle();
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

  /** Whether a region has no footer, not even a damaged one. */
  final boolean hasNoFooter(int slot) throws IOException {
    return isAbsent(slot, RegionLayout.footerPosition(device.regionBytes()));
  }

  /** Whether neither a header nor a footer begins at {@code position}, not even a damaged one. */
  final boolean isAbsent(int slot, int position) throws IOException {
    return RegionLayout.isAbsent(bytes(slot, position, Long.BYTES));
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
   * Whether what is written to an open region lies on the device at once. If not, it lies in a
   * buffer until the region is sealed, and is lost with the process.
   */
  public abstract boolean writesInPlace();

  /**
   * The memory of a region, little-endian; for absolute access only. Also after the device's end.
   *
   * @throws UnsupportedOperationException if the device does not write in place
   */
  public abstract ByteBuffer memory(int slot);

  /** Throws the error of an access to the regions' memory by this thread that failed before. */
  public abstract void settle();

  /** The CRC32C of a part of an open region. */
  public abstract int crc(ByteBuffer region, int position, int lengthBytes);

  /** Takes bytes for an open region. Null if all buffers are in use. */
  public abstract Opening open();

  /** Bytes for a region that is about to be opened: one of the two methods is called, once. */
  public interface Opening {

    /** The bytes of the region at this slot. */
    WriteBuffer of(int slot);

    /** Gives them back unused. */
    void cancel();
  }

  /** The header of a region that a crash may have left open; null if there is none. */
  public abstract RegionLayout.Header openHeader(int slot) throws IOException;

  /** Whether a region without a whole footer and header is as {@link #prepare} leaves it. */
  public abstract boolean isBlank(int slot, RegionLayout.Header header) throws IOException;

  /**
   * A copy of a region without what follows the records' last possible byte. By the worker.
   *
   * @return null if no crash leaves records that no table names
   */
  public abstract ByteBuffer records(int slot) throws IOException;

  /**
   * Makes sure that a crash finds no sealed region here.
   *
   * @param header what an open region that is written in place begins with
   */
  public abstract void prepare(int slot, RegionLayout.Header header) throws IOException;

  /** Makes durable what an open region holds so far, if that is in place. */
  public abstract void persist(int slot, int endBytes) throws IOException;

  /** Writes a region: first what it holds, then, when that is durable, its footer. */
  public abstract void seal(
      int slot, RegionLayout.Header header, RegionLayout.Seal seal, ByteBuffer bytes)
      throws IOException;

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
