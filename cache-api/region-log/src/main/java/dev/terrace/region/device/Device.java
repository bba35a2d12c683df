// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.Superblock.CacheSecret;
import dev.terrace.region.format.TombstoneList;
import dev.terrace.region.format.TombstoneLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The space of one path: regions of equal size, numbered from 0. A device stores bytes and does not
 * interpret them.
 *
 * <p>Any thread may call any method. Positions are byte positions in a region. An interrupt of the
 * calling thread neither fails the call nor harms other callers, and stays set. After {@link
 * #close} all methods that touch bytes throw.
 */
public interface Device extends AutoCloseable {

  /** The directory, for logs and errors. */
  String path();

  /** The key of the contents' checks, created when the path was started empty. */
  CacheSecret secret();

  /** Encrypts blocks under the contents' data key; null if they have none. */
  default BlockCipher cipher() {
    return null;
  }

  /** How often the contents were opened, this time included; 1 when they were started empty. */
  long generation();

  /**
   * Why this device no longer owns its path; empty if it does. May block for as long as the file
   * system does.
   *
   * @throws IOException if this cannot be determined now
   */
  default Optional<String> whyLost() throws IOException {
    return Optional.empty();
  }

  int regions();

  /**
   * Changes the number of regions while the device is in use. New regions are zero. Removed regions
   * must not be in use, and only one thread at a time may call this.
   *
   * @param regions at least 1
   * @throws IOException if that fails, such as for lack of space; a device that was to grow then
   *     keeps its former number
   * @throws UnsupportedOperationException if the number of this device is fixed
   */
  default void resize(int regions) throws IOException {
    throw new UnsupportedOperationException("the number of regions is fixed, path=" + path());
  }

  /**
   * Whether writes need reserved space that a tool or the file system has taken back, and the disk
   * is full. Tries to reserve it again.
   */
  default boolean lacksSpace() {
    return false;
  }

  /**
   * The size of each region: a multiple of 4 KB, at most 64 MB. In files it is a power of two from
   * 64 KB.
   */
  int regionBytes();

  /**
   * The lists of evictions at a place, or a part of them.
   *
   * @param place below {@link TombstoneLog#PLACES}
   * @return empty if there is none
   * @throws IOException if it cannot be read
   */
  default ByteBuffer evictions(int place) throws IOException {
    return ByteBuffer.allocate(0);
  }

  /**
   * Writes a list of evictions, durably. A device that cannot do so ignores it.
   *
   * @param place below {@link TombstoneLog#PLACES}
   * @param position where in the place
   * @param list an encoded {@link TombstoneList}
   * @throws IOException if that fails; the lists before it and at other places stay
   */
  default void evictions(int place, int position, ByteBuffer list) throws IOException {}

  /**
   * Alignment of positions, lengths and buffer addresses in {@link #read} and {@link #write}: 1, or
   * more with direct I/O.
   */
  default int alignmentBytes() {
    return 1;
  }

  /**
   * Whether regions are mapped. If so, {@link #memory} has their bytes, which hits are served from;
   * {@link #read} copies them and reports a fault of the memory as an exception.
   */
  default boolean isMapped() {
    return false;
  }

  /**
   * The memory of a region, read and written in place.
   *
   * @return the region's bytes from 0 to its size, in a buffer of the caller's own
   * @throws UnsupportedOperationException if the device is not mapped
   */
  default ByteBuffer memory(int region) {
    throw new UnsupportedOperationException("no memory, path=" + path());
  }

  /**
   * Fills the target's remaining bytes from a region.
   *
   * @throws IOException if that fails, or the region ends before the target is full
   */
  default void read(int region, int position, ByteBuffer target) throws IOException {
    throw new IOException("path=" + path() + " is not open for reading");
  }

  /**
   * Writes the source's remaining bytes to a region. Durable after {@link #force}.
   *
   * @throws IOException if that fails; any part may be written then
   */
  default void write(int region, int position, ByteBuffer source) throws IOException {
    throw new IOException("path=" + path() + " is not open for writing");
  }

  /**
   * Makes durable the bytes written to a part of a region, or stored to its memory.
   *
   * @throws IOException if that fails
   */
  default void force(int region, int position, int lengthBytes) throws IOException {
    throw new IOException("path=" + path() + " is not open for writing");
  }

  /** Releases the path. Mapped memory stays readable until its last buffer is collected. */
  @Override
  void close();

  /**
   * Has {@link #close} unmap the memory that it otherwise leaves readable, so that the file system
   * can be unmounted at once, and not only after a garbage collection. Called after the last
   * reader: one that kept a buffer reads zeros.
   */
  default void unmapAtClose() {}

  /** Makes a mapped device use system calls, as for a disk. Called before anyone has its memory. */
  default void useSystemCalls() {}

  /** A device whose contents a superblock describes. */
  interface WithSuperblock extends Device {

    Superblock superblock();

    @Override
    default CacheSecret secret() {
      return superblock().secret();
    }

    @Override
    default long generation() {
      return superblock().generation();
    }

    @Override
    default int regions() {
      return superblock().geometry().regions();
    }

    @Override
    default int regionBytes() {
      return superblock().geometry().regionBytes();
    }
  }
}
