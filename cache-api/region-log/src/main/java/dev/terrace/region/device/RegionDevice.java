// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats;
import dev.terrace.region.device.DeviceReads.IoTimes;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import dev.terrace.region.memory.RegionPins;
import dev.terrace.region.memory.WriteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/**
 * A device as the region log uses it: reads and writes whole structures in aligned buffers, and
 * reports each operation to the device's health. {@code MappedRegionDevice} and {@code
 * BufferedRegionDevice} differ in how they write a region.
 */
public abstract class RegionDevice {

  /** Smallest read or write of a footer or header. */
  private static final int PAGE_BYTES = 4096;

  private static final int ROWS = 16;

  /** Receives the array, so that the compiler does not remove the allocation. */
  @SuppressWarnings("UnusedVariable")
  private static volatile Object made;

  final Device device;
  final DeviceHealth health;
  final DeviceBuffers buffers;
  private final DeviceReads reads;
  private final StoredRegions stored;
  private final SpaceSignal spaceSignal = new SpaceSignal();
  private final IoTimes writes = new IoTimes();

  /** Bytes at a region's end that are written with its footer. */
  final int edgeBytes;

  RegionDevice(Device device, DeviceHealth health, DeviceBuffers buffers, Executor readers) {
    this.device = device;
    this.health = health;
    this.buffers = buffers;
    this.edgeBytes = Math.min(device.regionBytes(), Math.max(PAGE_BYTES, device.alignmentBytes()));
    this.stored = new StoredRegions(device, this::bytes);
    this.reads = new DeviceReads(device, health, readers);
  }

  public Device device() {
    return device;
  }

  public DeviceHealth health() {
    return health;
  }

  public PathStats stats(long sizeBytes, long usedBytes) {
    return new PathStats(
        device.path(),
        health.condition(),
        sizeBytes,
        usedBytes,
        health.report.errors(),
        reads.times().sum(),
        writes.sum());
  }

  /** The wait of puts for room on this device. */
  public SpaceSignal spaceSignal() {
    return spaceSignal;
  }

  /** The reader of the regions' contents. Used by the worker. */
  public StoredRegions stored() {
    return stored;
  }

  public DeviceBuffers buffers() {
    return buffers;
  }

  /**
   * Changes the number of regions. Called by the worker, while no removed region is in use.
   *
   * @throws IOException if that fails, such as for lack of space
   */
  public void resize(int regions) throws IOException {
    device.resize(regions);
  }

  /** Reads into the target's remaining bytes, for the log. Position and length must be aligned. */
  public void read(int slot, int position, ByteBuffer target) throws IOException {
    checkOwned();
    reads.read(slot, position, target);
  }

  /**
   * Fills a copy from a region, for one of a bounded number of callers.
   *
   * @param region validated by the caller after the read
   * @param hasStore whether the caller gets the bytes from the store if the device is slower
   * @return false if the device has no place for the caller, or did not answer in time
   */
  public boolean readForCaller(
      RegionPins region, int slot, int position, ReadCopy copy, boolean hasStore)
      throws IOException {
    return reads.read(region, slot, position, copy, hasStore);
  }

  /**
   * Whether a caller's read is inside the device.
   *
   * @param left runs from now on each time that one has left
   */
  public boolean hasCallers(Runnable left) {
    return reads.hasCallers(left);
  }

  final void force(int slot, int position, int lengthBytes) throws IOException {
    change(() -> device.force(slot, position, lengthBytes), health::forced);
  }

  @FunctionalInterface
  interface Change {
    void run() throws IOException;
  }

  /** Makes the device write or force, and reports the outcome to its health. */
  final void change(Change change, Runnable succeeded) throws IOException {
    checkOwned();
    health.stalls.beginWrite();
    long start = System.nanoTime();
    try {
      change.run();
      settle();
      writes.since(start);
      succeeded.run();
    } catch (IOException e) {
      writeFailed(e);
      throw e;
    } catch (RuntimeException | InternalError e) {
      IOException fault = e instanceof InternalError error ? fault(error) : new IOException(e);
      writeFailed(fault);
      throw fault;
    } finally {
      health.stalls.endWrite();
    }
  }

  /**
   * Writes a list of evictions. A failure does not count against the device, because its regions
   * may have their space even on a full disk; a hang does.
   */
  final void writeEvictions(int place, int position, ByteBuffer list) throws IOException {
    checkOwned();
    health.stalls.beginWrite();
    try {
      device.evictions(place, position, list);
    } finally {
      health.stalls.endWrite();
    }
  }

  /**
   * Checks that this server owns the path, before a read there or a store to its memory.
   *
   * @throws IOException if the contents may be another server's
   */
  public final void checkOwned() throws IOException {
    if (health.isLost()) {
      throw new IOException("path=" + device.path() + " no longer belongs to this server");
    }
  }

  /** Reports a failed write. A fault of mapped memory may come from space that was taken back. */
  public void writeFailed(IOException cause) {
    DeviceFault fault = DeviceFault.of(cause);
    if (fault.isLackOfSpace() || (fault == DeviceFault.MEMORY && device.lacksSpace())) {
      health.foundNoSpace(cause);
    } else {
      health.writeFailed(cause);
    }
  }

  /** The exception for a fault of mapped memory. Afterwards this thread has no fault pending. */
  public IOException fault(InternalError error) {
    try {
      settleFaults();
    } catch (InternalError later) {
      error.addSuppressed(later);
    }
    return new IOException("an access to its memory failed, path=" + device.path(), error);
  }

  /** Reads the device's last bytes, to detect a truncated file. Called by the worker. */
  public void checkEnd() throws IOException {
    read(
        device.regions() - 1, device.regionBytes() - edgeBytes, buffers.scratch().limit(edgeBytes));
  }

  /**
   * Reads any part of a region into a new buffer that begins at {@code position}. Called by the
   * worker. Mapped memory is also copied by a read, which fails where an access would kill the
   * process.
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

  /**
   * Whether records of an open region are on the device at once. If not, they stay in a buffer
   * until they are appended or the region is sealed.
   */
  public boolean writesInPlace() {
    return false;
  }

  /**
   * The memory of a region, little-endian, for absolute access only. It stays valid after the
   * device is closed.
   *
   * @throws UnsupportedOperationException if the device does not write in place
   */
  public ByteBuffer memory(int slot) {
    return device.memory(slot);
  }

  /** Throws the pending error of an earlier access by this thread to the regions' memory. */
  public void settle() {}

  public int crc(ByteBuffer region, int position, int lengthBytes) {
    return RecordLayout.crc(region, position, lengthBytes);
  }

  /** Whether memory for an open region is free now. The worker may take it first. */
  public boolean hasBuffer() {
    return true;
  }

  /** Takes memory for the open region at a slot. Null if all buffers are in use. */
  public abstract WriteBuffer open(int slot);

  /**
   * Makes sure that a restart after a crash finds no records here.
   *
   * @param header the header of a region that is written in place
   */
  public abstract void prepare(int slot, RegionLayout.Header header) throws IOException;

  /** Makes the records of an open region durable, if they are written in place. */
  public void persist(int slot, int endBytes) throws IOException {}

  /**
   * Writes the records of an open region and makes them durable, if they are in a buffer.
   *
   * @param from where the previous call ended; 0 in the first call
   * @param end where the last complete record ends
   */
  public void append(int slot, RegionLayout.Header header, ByteBuffer bytes, int from, int end)
      throws IOException {}

  /**
   * Writes a region: its contents first, and its footer once these are durable.
   *
   * @param from the bytes before it were already appended
   */
  public abstract void seal(
      int slot, RegionLayout.Header header, RegionLayout.Seal seal, ByteBuffer bytes, int from)
      throws IOException;

  /** Whether the device answers. */
  public boolean probe() {
    try {
      device.read(0, 0, buffers.scratch().limit(edgeBytes));
      int end = device.regionBytes() - edgeBytes;
      device.read(device.regions() - 1, end, buffers.scratch().limit(edgeBytes));
      return true;
    } catch (IOException | RuntimeException | InternalError e) {
      return false;
    }
  }

  /**
   * Throws the pending fault of an earlier access to mapped memory by this thread: the file was
   * truncated, or the memory is broken. Takes about 200 ns.
   *
   * <p>The JVM turns such a fault into an {@link InternalError}, but only in Java code or in a copy
   * of its own. In a checksum's intrinsic it kills the process, so mapped bytes are copied first.
   */
  static void settleFaults() {
    /*
     * Compiled code continues after the failed access. JDK 17 throws the error when the thread next
     * returns from the JVM's runtime: some milliseconds later, in unrelated code. The runtime
     * allocates arrays of arrays, so allocating one brings the error out. Native methods and thrown
     * exceptions do not. From JDK 21 on the access itself throws the error.
     */
    made = new int[ROWS][1];
  }
}
