// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import static dev.terrace.bench.server.JavaProcess.runToEnd;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import dev.terrace.bench.server.PageCache;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.function.IOConsumer;

/**
 * A disk for one folder of a cache that can be broken and repaired: ext4 in a file, on a loop
 * device. Needs root on Linux. Thread-safe.
 */
final class LoopDisk {

  /** For the file system itself, and for what other programs write. */
  private static final long MORE_THAN_CACHE = 24L << 20;

  private static final byte[] FILLING = new byte[1 << 20];

  /** The kernel's read limit for all processes (cgroup v1). */
  private static final Path READ_LIMIT =
      Path.of("/sys/fs/cgroup/blkio/blkio.throttle.read_bps_device");

  /** {@code struct loop_info64} of Linux, and the offset of {@code lo_sizelimit} in it. */
  private static final int INFO_BYTES = 232;

  private static final int SIZE_LIMIT_AT = 32;
  private static final NativeLong LOOP_SET_STATUS64 = new NativeLong(0x4C04);
  private static final NativeLong LOOP_GET_STATUS64 = new NativeLong(0x4C05);
  private static final int O_RDWR = 2;

  private final Path folder;
  private final Path image;
  private final String device;
  private boolean isFrozen;
  private boolean isAway;
  private boolean holdsReads;

  /**
   * Creates a disk and mounts it over a folder.
   *
   * @param cache the cache's first size; the disk has room for twice as much
   * @throws IOException if the system or the user's rights do not allow it
   */
  private LoopDisk(Path folder, long cache) throws IOException {
    this.folder = folder;
    this.image = folder.resolveSibling(folder.getFileName() + ".img");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(2 * cache + MORE_THAN_CACHE);
    }
    // After an error in its journal the file system would never work again.
    runToEnd("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", image.toString());
    this.device = runToEnd("losetup", "-f", "--show", image.toString());
    try {
      mount();
      runToEnd("chmod", "700", folder.toString());
    } catch (IOException e) {
      runToEnd("losetup", "-d", device);
      throw e;
    }
  }

  private void mount() throws IOException {
    runToEnd("mount", "-o", "noatime", device, folder.toString());
  }

  /** Returns its folder, for the timeline. */
  @Override
  public String toString() {
    return folder.getFileName() + " on " + device;
  }

  /** Fills the remaining space, as another program might. */
  synchronized void fill() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(filling().toFile(), "rw")) {
      while (true) {
        file.write(FILLING);
      }
    } catch (IOException e) {
      if (Files.getFileStore(folder).getUsableSpace() > FILLING.length) {
        throw e;
      }
    }
  }

  private Path filling() {
    return folder.resolve("filling");
  }

  /** Fails all I/O beyond a share of the disk. */
  synchronized void failBeyond(double share) throws IOException {
    limit((long) (share * Files.size(image)) / 4096 * 4096);
  }

  /** Blocks all writers. */
  synchronized void freeze() throws IOException {
    runToEnd("fsfreeze", "-f", folder.toString());
    isFrozen = true;
  }

  /** Whether {@link #holdReads} works on this system and for this user. */
  static boolean canHoldReads() {
    return Files.isWritable(READ_LIMIT) && PageCache.canBeDropped();
  }

  /** Blocks all readers. The page cache of all disks is dropped first. */
  synchronized void holdReads() throws IOException {
    holdsReads = true;
    limitReads(1);
    PageCache.drop();
  }

  /** Limits reads to some bytes a second; 0 removes the limit. */
  private void limitReads(int bytes) throws IOException {
    Path numbers = Path.of("/sys/block", Path.of(device).getFileName().toString(), "dev");
    Files.writeString(READ_LIMIT, Files.readString(numbers).strip() + " " + bytes);
  }

  /** Hides the disk; files that are open stay usable. */
  synchronized void takeAway() throws IOException {
    runToEnd("umount", "-l", folder.toString());
    isAway = true;
  }

  /** Undoes all damage. */
  synchronized void mend() throws IOException {
    if (isFrozen) {
      runToEnd("fsfreeze", "-u", folder.toString());
      isFrozen = false;
    }
    if (holdsReads) {
      limitReads(0);
      holdsReads = false;
    }
    limit(0);
    if (isAway) {
      mount();
      isAway = false;
    }
    Files.deleteIfExists(filling());
  }

  /** Unmounts it and deletes its file. */
  private synchronized void remove() throws IOException {
    runToEnd("umount", "-l", folder.toString());
    runToEnd("losetup", "-d", device);
    Files.deleteIfExists(image);
  }

  /** Calls of the C library, by their names in C. */
  interface LibC extends Library {

    int open(String path, int flags) throws LastErrorException;

    int ioctl(int descriptor, NativeLong request, byte[] argument) throws LastErrorException;

    int close(int descriptor) throws LastErrorException;

    static LibC load() {
      return Native.load("c", LibC.class);
    }
  }

  /**
   * Sets how many bytes of its file the device in use shows; 0 is the whole file. All I/O beyond
   * that fails with EIO, and works again without the limit. No system command does this.
   */
  private void limit(long bytes) throws IOException {
    try {
      LibC c = LibC.load();
      int descriptor = c.open(device, O_RDWR);
      try {
        byte[] info = new byte[INFO_BYTES];
        c.ioctl(descriptor, LOOP_GET_STATUS64, info);
        ByteBuffer.wrap(info).order(ByteOrder.nativeOrder()).putLong(SIZE_LIMIT_AT, bytes);
        c.ioctl(descriptor, LOOP_SET_STATUS64, info);
      } finally {
        c.close(descriptor);
      }
    } catch (LastErrorException | LinkageError e) {
      throw new IOException(device + ": its size limit cannot be set to " + bytes, e);
    }
  }

  /** The disks of a cluster's caches, or the reason why they are plain folders. */
  static final class Disks {

    private final Map<Path, LoopDisk> byFolder = new LinkedHashMap<>();
    private String whyNone = "";

    /** Gives a folder a disk of its own, unless that has failed for another folder. */
    synchronized void add(Path folder, long cache) {
      if (!whyNone.isEmpty()) {
        return;
      }
      try {
        byFolder.put(folder, new LoopDisk(folder, cache));
      } catch (IOException e) {
        whyNone = String.valueOf(e.getMessage());
      }
    }

    synchronized List<LoopDisk> of(List<Path> folders) {
      return folders.stream().filter(byFolder::containsKey).map(byFolder::get).toList();
    }

    synchronized boolean isEmpty() {
      return byFolder.isEmpty();
    }

    /** Returns why folders have no disks of their own; empty if they have. */
    synchronized String whyNone() {
      return whyNone;
    }

    /** Repairs all of them, so that their users can end. */
    void mend() {
      forEach(LoopDisk::mend);
    }

    /** Unmounts and deletes them all. */
    synchronized void remove() {
      forEach(LoopDisk::remove);
      byFolder.clear();
    }

    private synchronized void forEach(IOConsumer<LoopDisk> work) {
      for (LoopDisk disk : byFolder.values()) {
        try {
          work.accept(disk);
        } catch (IOException e) {
          System.err.println("terrace fire: " + e.getMessage());
        }
      }
    }
  }
}
