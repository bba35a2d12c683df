// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire.disk;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.server.DiskSpace.PageCache;
import dev.terrace.bench.server.JavaProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A disk for one folder of a cache that can be broken and mended: ext4 in a file, on a loop device.
 * Needs root on Linux. Thread-safe.
 */
public final class LoopDisk {

  /** For the file system itself, and for what other programs fill. */
  private static final ByteSize MORE_THAN_CACHE = ByteSize.ofMebibytes(24);

  private static final byte[] FILLING = new byte[1 << 20];

  private final Path folder;
  private final Path image;
  private final String device;
  private boolean isFrozen;
  private boolean isAway;
  private boolean holdsReads;

  private LoopDisk(Path folder, Path image, String device) {
    this.folder = folder;
    this.image = image;
    this.device = device;
  }

  /**
   * Makes a disk and mounts it over a folder.
   *
   * @param cache what the cache in it takes at first; there is room for twice as much
   * @throws IOException if the system, or the user's rights, do not allow it
   */
  static LoopDisk mount(Path folder, ByteSize cache) throws IOException {
    Path image = folder.resolveSibling(folder.getFileName() + ".img");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(2 * cache.bytes() + MORE_THAN_CACHE.bytes());
    }
    // A journal that met an error would keep the file system from ever working again.
    JavaProcess.runToEnd(
        "mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", image.toString());
    String device = JavaProcess.runToEnd("losetup", "-f", "--show", image.toString());
    LoopDisk disk = new LoopDisk(folder, image, device);
    try {
      disk.mount();
      JavaProcess.runToEnd("chmod", "700", folder.toString());
      return disk;
    } catch (IOException e) {
      JavaProcess.runToEnd("losetup", "-d", device);
      throw e;
    }
  }

  private void mount() throws IOException {
    JavaProcess.runToEnd("mount", "-o", "noatime", device, folder.toString());
  }

  /** Returns its folder, for the time line. */
  @Override
  public String toString() {
    return folder.getFileName() + " on " + device;
  }

  /** Another program takes all space that is left. */
  public synchronized void fill() throws IOException {
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

  /** From a place on, all I/O fails. */
  public synchronized void failBeyond(double share) throws IOException {
    LoopLimit.set(device, (long) (share * Files.size(image)) / 4096 * 4096);
  }

  /** Everybody who writes waits. */
  public synchronized void freeze() throws IOException {
    JavaProcess.runToEnd("fsfreeze", "-f", folder.toString());
    isFrozen = true;
  }

  /** Whether {@link #holdReads} works on this system, and for this user. */
  public static boolean canHoldReads() {
    return HeldReads.arePossible();
  }

  /** Everybody who reads from it waits. */
  public synchronized void holdReads() throws IOException {
    holdsReads = true;
    HeldReads.hold(device);
  }

  /** Nobody finds it any more; those that have files open keep them. */
  public synchronized void takeAway() throws IOException {
    JavaProcess.runToEnd("umount", "-l", folder.toString());
    isAway = true;
  }

  /** Ends what was done to it. */
  public synchronized void mend() throws IOException {
    if (isFrozen) {
      JavaProcess.runToEnd("fsfreeze", "-u", folder.toString());
      isFrozen = false;
    }
    if (holdsReads) {
      HeldReads.release(device);
      holdsReads = false;
    }
    LoopLimit.set(device, 0);
    if (isAway) {
      mount();
      isAway = false;
    }
    Files.deleteIfExists(filling());
  }

  /** Unmounts it and deletes its file. */
  public synchronized void remove() throws IOException {
    JavaProcess.runToEnd("umount", "-l", folder.toString());
    JavaProcess.runToEnd("losetup", "-d", device);
    Files.deleteIfExists(image);
  }

  /** The disks of a cluster's caches, or the reason why they are plain folders. */
  public static final class Disks {

    private final Map<Path, LoopDisk> byFolder = new LinkedHashMap<>();
    private String whyNone = "";

    /** Gives a folder a disk of its own, unless that failed for another one. */
    public synchronized void add(Path folder, ByteSize cache) {
      if (!whyNone.isEmpty()) {
        return;
      }
      try {
        byFolder.put(folder, LoopDisk.mount(folder, cache));
      } catch (IOException e) {
        whyNone = String.valueOf(e.getMessage());
      }
    }

    /** Returns the disks of these folders, as far as they have some. */
    public synchronized List<LoopDisk> of(List<Path> folders) {
      return folders.stream().filter(byFolder::containsKey).map(byFolder::get).toList();
    }

    public synchronized boolean isEmpty() {
      return byFolder.isEmpty();
    }

    /** Returns why folders have no disk of their own; empty if they have one. */
    public synchronized String whyNone() {
      return whyNone;
    }

    /** Ends what was done to any of them, so that their users can end. */
    public void mend() {
      forEach(LoopDisk::mend);
    }

    /** Unmounts and deletes all of them. */
    public synchronized void remove() {
      forEach(LoopDisk::remove);
      byFolder.clear();
    }

    private synchronized void forEach(Work work) {
      for (LoopDisk disk : byFolder.values()) {
        try {
          work.on(disk);
        } catch (IOException e) {
          System.err.println("terrace fire: " + e.getMessage());
        }
      }
    }

    /** Something to do to each disk. */
    @FunctionalInterface
    private interface Work {

      void on(LoopDisk disk) throws IOException;
    }
  }

  /**
   * Makes all reads from a block device wait until they are let go: the kernel's limit of reads for
   * everybody (cgroup v1) is set to a byte a second. What the page cache has is dropped first, of
   * all disks.
   */
  static final class HeldReads {

    private static final Path LIMIT =
        Path.of("/sys/fs/cgroup/blkio/blkio.throttle.read_bps_device");
    private static final int NO_LIMIT = 0;

    private HeldReads() {}

    /** Whether this system can do it, and the user may. */
    static boolean arePossible() {
      return Files.isWritable(LIMIT) && PageCache.canBeDropped();
    }

    /** Holds the reads of a device such as {@code /dev/loop0}. */
    static void hold(String device) throws IOException {
      limit(device, 1);
      PageCache.drop();
    }

    /** Lets them go on. */
    static void release(String device) throws IOException {
      limit(device, NO_LIMIT);
    }

    private static void limit(String device, int bytesPerSecond) throws IOException {
      Path numbers = Path.of("/sys/block", Path.of(device).getFileName().toString(), "dev");
      Files.writeString(LIMIT, Files.readString(numbers).strip() + " " + bytesPerSecond);
    }
  }

  /**
   * Sets how much of its file a loop device in use shows. All I/O beyond fails with EIO, and works
   * again when the limit is gone. No command of the system does this.
   */
  static final class LoopLimit {

    /** {@code struct loop_info64} of Linux, and the offset of {@code lo_sizelimit} in it. */
    private static final int INFO_BYTES = 232;

    private static final int SIZE_LIMIT_AT = 32;
    private static final long LOOP_SET_STATUS64 = 0x4C04;
    private static final long LOOP_GET_STATUS64 = 0x4C05;
    private static final int O_RDWR = 2;

    private LoopLimit() {}

    /** The calls of the C library, named as there. */
    interface LibC extends Library {

      int open(String path, int flags) throws LastErrorException;

      int ioctl(int descriptor, NativeLong request, byte[] argument) throws LastErrorException;

      int close(int descriptor) throws LastErrorException;
    }

    /** Sets the limit of a loop device in bytes; 0 is the whole file. */
    static void set(String device, long bytes) throws IOException {
      try {
        LibC c = Native.load("c", LibC.class);
        int descriptor = c.open(device, O_RDWR);
        try {
          byte[] info = new byte[INFO_BYTES];
          c.ioctl(descriptor, new NativeLong(LOOP_GET_STATUS64), info);
          ByteBuffer.wrap(info).order(ByteOrder.nativeOrder()).putLong(SIZE_LIMIT_AT, bytes);
          c.ioctl(descriptor, new NativeLong(LOOP_SET_STATUS64), info);
        } finally {
          c.close(descriptor);
        }
      } catch (LastErrorException | LinkageError e) {
        throw new IOException(device + ": its size limit cannot be set to " + bytes, e);
      }
    }
  }
}
