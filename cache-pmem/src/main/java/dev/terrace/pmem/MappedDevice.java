// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.UninterruptibleFile;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.folder.DeviceOpener;
import dev.terrace.region.folder.FolderDevice;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device in a file whose space is reserved. If the file's pages are memory (persistent on DAX),
 * the file is mapped. On a disk it is read and written by system calls.
 */
public final class MappedDevice extends FolderDevice {

  /*
   * A page of a disk is there only when the file system provides it: a store to a clean page waits
   * while the file system is frozen, and an access to an absent page waits while the disk is slow.
   * A thread that waits in an access reaches no safepoint, so the whole JVM waits. In a system call
   * it waits alone. Checking first that a page is there does not help, because the page may go
   * before the access.
   *
   * Mappings and system calls share the page cache, so each reads what the other wrote. Reads and
   * writes are system calls: they fail where a memory access would kill the process or stop it.
   */

  /** File systems without a disk below them. */
  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

  private static final Logger LOG = LoggerFactory.getLogger(MappedDevice.class);

  private final int segmentShift;
  private final int regionShift;
  private final boolean dax;

  /** Whether the file has no disk below it, so that its pages are always there. */
  private final boolean memory;

  private volatile boolean mapped;
  private boolean unmaps;

  /** All segments so far, until the device is closed: a resize replaces the last one. */
  private final Set<MappedByteBuffer> made = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Null once closed or without a mapping, so that unused memory can be unmapped. */
  private volatile MappedByteBuffer[] segments;

  private MappedDevice(CacheFolder folder, Mapping mapping, UninterruptibleFile file) {
    super(folder, file);
    this.memory = mapping.isDax() || isMemory(regionsFile());
    this.regionShift = Integer.numberOfTrailingZeros(regionBytes());
    this.segmentShift = Integer.numberOfTrailingZeros(Mapping.SEGMENT_BYTES) - regionShift;
    this.dax = mapping.isDax();
    this.mapped = true;
    this.segments = recorded(mapping);
  }

  private MappedByteBuffer[] recorded(Mapping mapping) {
    made.addAll(mapping.segments());
    return mapping.segments().toArray(MappedByteBuffer[]::new);
  }

  /**
   * Opens the paths of a tier, and reserves all their space. They are mapped if all of them are
   * memory: DAX or a tmpfs.
   *
   * @return the devices, see {@link DeviceOpener#openAll}
   * @throws dev.terrace.region.folder.UnusablePathException if a path is in use, lacks space, or is
   *     unfit for a cache
   * @throws IOException if a disk fails
   */
  public static List<Device> openAll(PathSplit split) throws IOException {
    List<Device> devices = openMapped(split);
    List<MappedDevice> open =
        devices.stream()
            .filter(MappedDevice.class::isInstance)
            .map(MappedDevice.class::cast)
            .toList();
    boolean mapped = !open.isEmpty() && open.stream().allMatch(device -> device.memory);
    if (!mapped) {
      open.forEach(MappedDevice::useSystemCalls);
    }
    open.forEach(device -> LOG.info("{}", device.description()));
    return devices;
  }

  /**
   * Whether a path that may not be open yet is on DAX. Tries what opening does; changes nothing.
   */
  public static boolean isOnDax(Path path) {
    try {
      return Mapping.canSync(CacheFolder.regionsFileOrDirectory(path));
    } catch (IOException e) {
      LOG.debug("{}: testing for DAX failed", path, e);
      return false;
    }
  }

  /** Opens the paths mapped, whatever they are on. */
  static List<Device> openMapped(PathSplit split) throws IOException {
    return DeviceOpener.openAll(
        split, path -> open(split.spec(path, DeviceKind.PMEM), Clock.systemUTC()));
  }

  /** Opens a path, reserves its space, and maps it even on a disk. */
  static MappedDevice open(CacheSpec spec, Clock clock) throws IOException {
    CacheFolder folder = CacheFolder.open(spec, ReservedSpace::resize, clock);
    try {
      Mapping mapping = Mapping.of(folder.regionsFile(), folder.geometry(), List.of());
      UninterruptibleFile file =
          UninterruptibleFile.open(
              folder.regionsFile(), Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
      return new MappedDevice(folder, mapping, file);
    } catch (IOException | RuntimeException | Error e) {
      folder.close();
      throw e;
    }
  }

  /** An unknown file system is taken for a disk, where system calls are safe. */
  private static boolean isMemory(Path file) {
    try {
      return MEMORY.contains(Files.getFileStore(file).type());
    } catch (IOException e) {
      LOG.debug("{}: unknown file system", file, e);
      return false;
    }
  }

  @Override
  public void useSystemCalls() {
    mapped = false;
    segments = null;
  }

  /** Whether stores become durable without the kernel. */
  public boolean isDax() {
    return dax;
  }

  /** One line for logs: kind, path, size, and kind of mapping. */
  public String description() {
    return description("pmem", mapped ? mappingDescription() : "not DAX, accessed by system calls");
  }

  private String mappingDescription() {
    return dax
        ? "DAX, mapped with MAP_SYNC, made durable by cache-line write-back"
        : "not DAX, plain shared mapping, made durable by msync";
  }

  @Override
  public boolean isMapped() {
    return mapped;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The buffer keeps its memory mapped after {@link #close}, but another process that opens the
   * path may write to it.
   *
   * @throws IllegalStateException if the device is closed
   */
  @Override
  public ByteBuffer memory(int region) {
    if (!mapped) {
      return super.memory(region);
    }
    MappedByteBuffer[] open = segments;
    if (open == null) {
      throw new IllegalStateException("path=" + path() + " is closed");
    }
    Objects.checkIndex(region, regions());
    return open[region >>> segmentShift].slice(positionInSegment(region), regionBytes());
  }

  @Override
  public void force(int region, int position, int lengthBytes) throws IOException {
    if (!mapped) {
      super.force(region, position, lengthBytes);
      return;
    }
    MappedByteBuffer[] open = segments;
    if (open == null) {
      throw new ClosedChannelException();
    }
    geometry().offset(region, position, lengthBytes);
    try {
      open[region >>> segmentShift].force(positionInSegment(region) + position, lengthBytes);
    } catch (UncheckedIOException e) {
      throw failed("force", region, position, lengthBytes, e.getCause());
    }
  }

  @Override
  public boolean lacksSpace() {
    try {
      FileStore store = Files.getFileStore(regionsFile());
      // A tmpfs without a limit reports 0 everywhere.
      if (store.getTotalSpace() > 0 && store.getUsableSpace() < regionBytes()) {
        ReservedSpace.allocate(regionsFile(), geometry().sizeBytes());
      }
      return false;
    } catch (IOException e) {
      LOG.debug("{} lost space that it had reserved", regionsFile(), e);
      return true;
    }
  }

  /** Maps what the file has gained. A part that it lost stays mapped, but is not used. */
  @Override
  protected synchronized void resized() throws IOException {
    if (mapped) {
      MappedByteBuffer[] open = segments;
      if (open == null) {
        throw new ClosedChannelException();
      }
      segments = recorded(Mapping.of(regionsFile(), geometry(), List.of(open)));
    }
  }

  @Override
  public synchronized void unmapAtClose() {
    unmaps = true;
  }

  @Override
  public synchronized void close() {
    segments = null;
    try {
      if (unmaps) {
        made.forEach(segment -> Mapping.unmap(ReservedSpace.libC(), segment));
      }
    } finally {
      made.clear();
      super.close();
    }
  }

  private int positionInSegment(int region) {
    return (region & (1 << segmentShift) - 1) << regionShift;
  }
}
