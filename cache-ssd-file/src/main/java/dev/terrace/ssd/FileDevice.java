// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.LibC;
import dev.terrace.region.device.UninterruptibleFile;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.folder.DeviceOpener;
import dev.terrace.region.folder.FolderDevice;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device that keeps its regions in a file. Its size is a hard limit. A region takes space from
 * the disk when it is first written, so on a full disk writes fail while reads continue.
 */
public final class FileDevice extends FolderDevice {

  private static final Logger LOG = LoggerFactory.getLogger(FileDevice.class);

  /** A page, and a block of most file systems: smaller writes would make the kernel read. */
  private static final int MIN_ALIGNMENT_BYTES = 4096;

  private final int alignmentBytes;

  private FileDevice(CacheFolder folder, UninterruptibleFile file, int alignmentBytes) {
    super(folder, file);
    this.alignmentBytes = alignmentBytes;
  }

  /**
   * Opens the paths of a tier.
   *
   * @param directIo whether to bypass the page cache where the file system allows it
   * @return the devices, see {@link DeviceOpener#openAll}
   * @throws dev.terrace.region.folder.UnusablePathException if a path is in use, or unfit for a
   *     cache
   * @throws IOException if a disk fails
   */
  public static List<Device> openAll(PathSplit split, boolean directIo) throws IOException {
    return DeviceOpener.openAll(
        split, path -> open(split.spec(path, DeviceKind.SSD), directIo, Clock.systemUTC()));
  }

  /**
   * Opens a path.
   *
   * @param directIo whether to bypass the page cache where the file system allows it
   * @param clock for the times in the superblock
   */
  static FileDevice open(CacheSpec spec, boolean directIo, Clock clock) throws IOException {
    CacheFolder folder = CacheFolder.open(spec, RegionsSpace.SPARSE, clock);
    try {
      FileDevice device = directIo ? openDirect(folder) : null;
      if (device == null) {
        Set<OpenOption> options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
        device = new FileDevice(folder, UninterruptibleFile.open(folder.regionsFile(), options), 1);
      }
      LOG.info("{}", device.description());
      return device;
    } catch (IOException | RuntimeException | Error e) {
      folder.close();
      throw e;
    }
  }

  public boolean isDirect() {
    return alignmentBytes > 1;
  }

  /** One line for logs: kind, path, size, and kind of I/O. */
  public String description() {
    return description(
        "ssd",
        isDirect()
            ? "direct I/O, aligned to " + alignmentBytes + " bytes"
            : "through the page cache");
  }

  @Override
  public int alignmentBytes() {
    return alignmentBytes;
  }

  /** Opens for I/O that bypasses the page cache. Null if the file system or the JDK lacks it. */
  private static FileDevice openDirect(CacheFolder folder) {
    Path file = folder.regionsFile();
    try {
      int alignmentBytes = alignmentBytes(blockBytes(file));
      Set<OpenOption> options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, direct());
      ByteBuffer target = ByteBuffer.allocateDirect(2 * alignmentBytes);
      UninterruptibleFile opened = UninterruptibleFile.open(file, options);
      try {
        // Some file systems refuse only the first read.
        opened.read(0, target.alignedSlice(alignmentBytes).limit(alignmentBytes));
      } catch (IOException | RuntimeException e) {
        opened.close();
        throw e;
      }
      return new FileDevice(folder, opened, alignmentBytes);
    } catch (UnsupportedOperationException | IOException | ReflectiveOperationException e) {
      LOG.info(
          "{}: no direct I/O on this file system ({}); using the page cache", file, e.toString());
      return null;
    }
  }

  /** What the kernel reports; else the blocks of the file system, which may be larger. */
  private static long blockBytes(Path file) throws IOException {
    Optional<Integer> reported = LibC.load().flatMap(c -> c.directIoAlignment(file.toString()));
    return reported.isPresent() ? reported.get() : Files.getFileStore(file).getBlockSize();
  }

  /**
   * The alignment for blocks of a file system.
   *
   * @throws IOException if there is no direct I/O with such blocks
   */
  static int alignmentBytes(long blockBytes) throws IOException {
    if (blockBytes < 1
        || blockBytes > DeviceGeometry.MIN_REGION_BYTES
        || Long.bitCount(blockBytes) != 1) {
      throw new IOException(
          "block size of %s bytes is not a power of two up to %s"
              .formatted(blockBytes, DeviceGeometry.MIN_REGION_BYTES));
    }
    return (int) Math.max(MIN_ALIGNMENT_BYTES, blockBytes);
  }

  /** Finds the option by name, because javac warns about a class that a JDK may lack. */
  private static OpenOption direct() throws ReflectiveOperationException {
    return (OpenOption)
        Class.forName("com.sun.nio.file.ExtendedOpenOption").getField("DIRECT").get(null);
  }
}
