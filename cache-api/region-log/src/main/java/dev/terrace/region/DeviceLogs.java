// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.PathStats;
import dev.terrace.api.Poison;
import dev.terrace.api.TierStats;
import dev.terrace.api.TierStats.LongPins;
import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.device.BufferedRegionDevice;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceExecutors;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.MappedRegionDevice;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.WritePacer;
import dev.terrace.region.folder.UnopenedDevice;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.TierRegions;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.read.BlockLookup;
import dev.terrace.region.work.DeviceWorker;
import dev.terrace.region.work.TierResize;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The devices of a tier, with their logs and workers.
 *
 * <p>Any thread may call any method.
 */
final class DeviceLogs {

  private static final int REGION_HEAP_BYTES = 264;

  private final DeviceExecutors executors;
  private final DirectMemory memory;
  private final BlockLookup<?> lookup;
  private final LogContext context;
  private final TierRegions regions;
  private final TierResize resize;
  private final WritePacer pacer;
  private final boolean isMapped;
  private final int regionBytes;
  private final int alignmentBytes;

  private volatile boolean started;

  /** Replaced when devices come or go. A leaving device stays listed until it is released. */
  private volatile List<DeviceWorker> workers;

  DeviceLogs(
      List<? extends Device> devices,
      DeviceExecutors executors,
      DirectMemory memory,
      BlockLookup<?> lookup,
      LogContext context) {
    this.executors = executors;
    this.memory = memory;
    this.lookup = lookup;
    this.context = context;
    this.isMapped = devices.stream().anyMatch(Device::isMapped);
    this.alignmentBytes = devices.stream().mapToInt(Device::alignmentBytes).max().orElse(1);
    this.regions = lookup.residents().regions();
    this.regionBytes = devices.get(0).regionBytes();
    long writeLimit = context.limits().writeBytesPerSecond();
    this.pacer = writeLimit == 0 ? null : new WritePacer(writeLimit, context.nanoTime());
    devices.forEach(this::check);
    checkCount(devices.stream().mapToLong(Device::regions).sum());
    this.workers = devices.stream().map(this::worker).toList();
    this.resize = new TierResize(workers);
  }

  private void check(Device device) {
    check(
        device,
        device.isMapped() == isMapped || device instanceof UnopenedDevice,
        "mapped=" + device.isMapped(),
        "mapped=" + isMapped);
    check(
        device,
        device.regionBytes() == regionBytes,
        "regions of " + device.regionBytes() + " bytes",
        regionBytes);
    check(
        device,
        device.alignmentBytes() <= alignmentBytes,
        "direct I/O in blocks of " + device.alignmentBytes() + " bytes",
        alignmentBytes);
  }

  private static void check(Device device, boolean fits, String what, Object ofTier) {
    if (!fits) {
      throw new IllegalArgumentException(
          "path=%s has %s, but its tier was started with %s: restart the server to add it"
              .formatted(device.path(), what, ofTier));
    }
  }

  private DeviceWorker worker(Device device) {
    return new DeviceWorker(io(device), executors, lookup, context);
  }

  private RegionDevice io(Device device) {
    IoLimits limits = context.limits();
    DeviceHealth health =
        new DeviceHealth(device.path(), limits, context.nanoTime(), context.counters());
    if (device instanceof UnopenedDevice unopened) {
      health.unopened(unopened.why());
    }
    Executor readers = executors.readers(device.path(), limits.readers());
    return isMapped
        ? new MappedRegionDevice(device, health, memory, readers, Poison.isOn())
        : new BufferedRegionDevice(device, health, pacer, memory, readers);
  }

  private static void checkCount(long regions) {
    if (regions > BlockAddress.MAX_REGION + 1) {
      throw new IllegalArgumentException(
          "regions=%d exceed the limit of %d: make the regions larger or the tier smaller"
              .formatted(regions, BlockAddress.MAX_REGION + 1));
    }
  }

  /**
   * Removes devices, see {@link DeviceWorker#leave}, and adds others, whose recovery starts. Only
   * one thread at a time may call it.
   *
   * @return completed when all removed devices are released
   * @throws IllegalArgumentException if a device is of another kind than the present ones, or there
   *     are too many regions; then nothing changes
   * @throws CancellationException if the tier is closed
   */
  CompletableFuture<Void> replace(Collection<String> paths, List<? extends Device> devices) {
    if (!isMapped) {
      devices.forEach(Device::useSystemCalls);
    }
    devices.forEach(this::check);
    List<DeviceWorker> leaving =
        staying().stream().filter(worker -> paths.contains(path(worker))).toList();
    List<DeviceWorker> added;
    synchronized (this) {
      long present = workers.stream().mapToLong(each -> each.owner().regions().length).sum();
      checkCount(present + devices.stream().mapToLong(Device::regions).sum());
      if (context.isClosed()) {
        throw new CancellationException("the tier is closed");
      }
      added = devices.stream().map(this::worker).toList();
      workers = Stream.concat(workers.stream(), added.stream()).toList();
    }
    for (DeviceWorker worker : added) {
      leaving.stream()
          .filter(before -> before.owner().io().device() instanceof UnopenedDevice)
          .filter(before -> path(before).equals(path(worker)))
          .forEach(before -> worker.owner().takeEvictions(before.owner()));
    }
    CompletableFuture<?>[] released =
        leaving.stream()
            .map(worker -> worker.leave().thenRun(() -> left(worker)))
            .toArray(CompletableFuture[]::new);
    resize.of(staying());
    added.forEach(DeviceWorker::start);
    return CompletableFuture.allOf(released);
  }

  /** Completed when no device that was removed holds the path. */
  CompletableFuture<Void> released(String path) {
    return CompletableFuture.allOf(
        workers.stream()
            .filter(worker -> worker.isLeaving() && path(worker).equals(path))
            .map(DeviceWorker::released)
            .toArray(CompletableFuture[]::new));
  }

  private synchronized void left(DeviceWorker worker) {
    regions.left(worker.owner().regions());
    workers = workers.stream().filter(each -> each != worker).toList();
  }

  private static String path(DeviceWorker worker) {
    return worker.owner().io().device().path();
  }

  private List<DeviceWorker> staying() {
    return workers.stream().filter(worker -> !worker.isLeaving()).toList();
  }

  /** Whether the index has all blocks that the paths may bring: all are open and recovered. */
  boolean isComplete() {
    return isRecovered() && unopened().isEmpty();
  }

  List<UnopenedDevice> unopened() {
    return staying().stream()
        .map(worker -> worker.owner().io().device())
        .filter(UnopenedDevice.class::isInstance)
        .map(UnopenedDevice.class::cast)
        .toList();
  }

  /** Whether all blocks that can be recovered are in the index. */
  boolean isRecovered() {
    return workers.stream().allMatch(DeviceWorker::isRecovered);
  }

  /** The paths of all devices except those that are leaving. */
  List<String> names() {
    return staying().stream().map(DeviceLogs::path).toList();
  }

  /** Whether there is no device, or all of them are leaving. */
  boolean isEmpty() {
    return workers.stream().allMatch(DeviceWorker::isLeaving);
  }

  /** Whether a device encrypts blocks. */
  boolean encrypts() {
    return workers.stream().anyMatch(worker -> encrypts(worker.owner()));
  }

  static boolean encrypts(DeviceLog log) {
    BlockCipher cipher = log.io().device().cipher();
    return cipher != null && cipher.fault().isEmpty();
  }

  /**
   * Changes the size of the devices, see {@link TierResize#to}.
   *
   * @param pathBytes the size of a path
   * @throws IllegalArgumentException if a device would have no region, or the tier too many
   */
  CompletableFuture<Void> resize(ToLongFunction<String> pathBytes) {
    long regions = 0;
    for (String path : names()) {
      long bytes = pathBytes.applyAsLong(path);
      if (bytes < regionBytes) {
        throw new IllegalArgumentException(
            "path=" + path + " sizeBytes=" + bytes + " is less than one region");
      }
      regions += bytes / regionBytes;
    }
    checkCount(regions);
    return resize.to(path -> (int) (pathBytes.applyAsLong(path) / regionBytes));
  }

  int regionBytes() {
    return regionBytes;
  }

  /** The size of a path, or the size it will have once it is back in service; 0 if it is none. */
  long pathBytes(String path) {
    return (long) resize.regions(path) * regionBytes;
  }

  /** Starts all workers. Puts are refused until then. */
  void start() {
    workers.forEach(DeviceWorker::start);
    started = true;
  }

  void tick() {
    if (started) {
      workers.forEach(DeviceWorker::tick);
      resize.poll();
    }
  }

  long capacityBytes() {
    long inUse = 0;
    for (DeviceWorker worker : workers) {
      inUse += worker.isLeaving() ? 0 : worker.owner().free().inUse();
    }
    return inUse * regionBytes;
  }

  /**
   * Records an eviction that must survive a restart. What a path that is not open does not know is
   * handed on to the device that opens it.
   */
  @SuppressWarnings("ReferenceEquality") // a list that was replaced, whatever is in it
  void evicted(String file, long fromOffset, long toOffset) {
    if (BlockRecord.isWritable(file, BlockRecord.nameOf(file))) {
      List<DeviceWorker> seen = null;
      // A device added during the loop may already have taken over earlier evictions.
      while (seen != workers) {
        seen = workers;
        seen.forEach(worker -> worker.owner().evicted(file, fromOffset, toOffset));
      }
    }
  }

  /** Closes all logs. They write their open regions regardless of the write limit. */
  void close() {
    resize.close();
    synchronized (this) {
      workers.forEach(worker -> worker.owner().close());
    }
    if (pacer != null) {
      pacer.lift();
    }
  }

  /** The workers of all devices, including those that are leaving. */
  Stream<DeviceWorker> workers() {
    return workers.stream();
  }

  /**
   * The log to put a block into: a larger device gets more blocks. Always the same one for the same
   * block, unless its device fails or sizes change.
   *
   * @return null if none can be written to
   */
  DeviceLog writableFor(CacheFile file, long offset) {
    List<DeviceWorker> all = workers;
    int first = all.size() < 2 ? 0 : firstFor(BlockKey.hash(file, offset) >>> 33, all);
    for (int i = 0; i < all.size(); i++) {
      DeviceLog candidate = all.get((first + i) % all.size()).owner();
      if (!candidate.isClosing() && candidate.io().health().isWritable()) {
        return candidate;
      }
    }
    return null;
  }

  private static int firstFor(long hash, List<DeviceWorker> all) {
    long regions = 0;
    for (DeviceWorker worker : all) {
      regions += worker.owner().io().device().regions();
    }
    long rest = hash % Math.max(1, regions);
    int first = -1;
    while (rest >= 0 && first + 1 < all.size()) {
      first++;
      rest -= all.get(first).owner().io().device().regions();
    }
    return first;
  }

  List<PathStats> paths() {
    return staying().stream().map(worker -> stats(worker.owner())).toList();
  }

  private PathStats stats(DeviceLog log) {
    return log.io().stats((long) log.free().inUse() * regionBytes, log.liveBytes());
  }

  /** Bytes of all records that the index has on devices that stay. */
  long liveBytes() {
    return staying().stream().mapToLong(worker -> worker.owner().liveBytes()).sum();
  }

  long leasedBytes() {
    return workers.stream().mapToLong(worker -> worker.owner().leasedBytes()).sum();
  }

  /** What readers hold, copies of blocks included. */
  TierStats.Pins leases(long copiesBytes) {
    return new TierStats.Pins(
        copiesBytes + leasedBytes(),
        LongPins.NONE,
        workers.stream().mapToInt(worker -> worker.held().waiting()).sum(),
        workers.stream().mapToLong(worker -> worker.held().longestNanos()).max().orElse(0));
  }

  boolean isReleased() {
    return workers.stream().allMatch(worker -> worker.released().isDone());
  }

  long heapBytes() {
    return (long) regions.all().size() * REGION_HEAP_BYTES;
  }

  /** Waits for a future of each worker. False if that takes longer than the limit. */
  boolean await(Function<DeviceWorker, CompletableFuture<Void>> what, Duration limit)
      throws InterruptedException {
    try {
      CompletableFuture.allOf(workers.stream().map(what).toArray(CompletableFuture[]::new))
          .get(limit.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
