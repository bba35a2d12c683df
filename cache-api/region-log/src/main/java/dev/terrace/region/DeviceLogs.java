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
package dev.terrace.region;

import dev.terrace.api.BlockKey;
import dev.terrace.api.PathStats;
import dev.terrace.api.TierCounters;
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
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.TierRegions;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.work.DeviceWorker;
import dev.terrace.region.work.TierParts;
import dev.terrace.region.work.TierResize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The devices of a tier, with their logs and workers.
 *
 * <p>Any thread may call any method.
 */
final class DeviceLogs {

  private static final int REGION_HEAP_BYTES = 208;

  private final List<DeviceWorker> workers = new ArrayList<>();
  private final TierRegions regions;
  private final TierResize resize;
  private final WritePacer pacer;
  private final int regionBytes;

  /**
   * The logs of devices, whose workers are not started.
   *
   * @param devices at least one; all of them mapped or none, with regions of the same size
   * @param executors run the devices' I/O
   * @param memory for write buffers
   */
  DeviceLogs(
      List<? extends Device> devices,
      DeviceExecutors executors,
      DirectMemory memory,
      TierParts tier,
      LogContext context) {
    Device first = devices.get(0);
    this.regions = tier.residents().regions();
    this.regionBytes = first.regionBytes();
    long writeLimit = context.limits().writeBytesPerSecond();
    this.pacer = writeLimit == 0 ? null : new WritePacer(writeLimit, context.nanoTime());
    for (Device device : devices) {
      if (device.isMapped() != first.isMapped() || device.regionBytes() != regionBytes) {
        throw new IllegalArgumentException(
            device.path() + " is not of the same kind as " + first.path());
      }
      workers.add(
          new DeviceWorker(io(device, executors, memory, context), executors, tier, context));
    }
    checkCount(regions.all().size());
    this.resize = new TierResize(workers);
  }

  private RegionDevice io(
      Device device, DeviceExecutors executors, DirectMemory memory, LogContext context) {
    IoLimits limits = context.limits();
    TierCounters counters = context.counters();
    DeviceHealth health = new DeviceHealth(device.path(), limits, context.nanoTime(), counters);
    if (device instanceof UnopenedDevice unopened) {
      health.unopened(unopened.why());
    }
    Executor readers = executors.readers(device.path(), limits.readers());
    return device.isMapped()
        ? new MappedRegionDevice(device, health, memory, readers, counters)
        : new BufferedRegionDevice(device, health, pacer, memory, readers, counters);
  }

  private static void checkCount(long regions) {
    if (regions > BlockAddress.MAX_REGION + 1) {
      throw new IllegalArgumentException(
          "regions="
              + regions
              + " are more than "
              + (BlockAddress.MAX_REGION + 1)
              + ": make the regions larger or the tier smaller");
    }
  }

  /**
   * Changes the size of all devices, evenly, see {@link TierResize#to}.
   *
   * @param sizeBytes of all devices together
   * @throws IllegalArgumentException if a device would have no region, or the tier too many
   */
  CompletableFuture<Void> resize(long sizeBytes) {
    long wanted = sizeBytes / workers.size() / regionBytes;
    if (wanted < 1) {
      throw new IllegalArgumentException(
          "sizeBytes=" + sizeBytes + " is less than a region a path");
    }
    checkCount(wanted * workers.size());
    return resize.to((int) wanted);
  }

  int regionBytes() {
    return regionBytes;
  }

  long capacityBytes() {
    long inUse = 0;
    for (DeviceWorker worker : workers) {
      inUse += worker.owner().free().inUse();
    }
    return inUse * regionBytes;
  }

  void forEach(Consumer<DeviceWorker> action) {
    workers.forEach(action);
  }

  void forEachLog(Consumer<DeviceLog> action) {
    workers.forEach(worker -> action.accept(worker.owner()));
  }

  /** Notes an eviction that must last over a restart. A path that is not open keeps no notes. */
  void evicted(String file, long fromOffset, long toOffset) {
    for (DeviceWorker worker : workers) {
      if (!(worker.owner().io().device() instanceof UnopenedDevice)) {
        worker.owner().evicted(file, fromOffset, toOffset);
      }
    }
  }

  /** Closes all logs. They write their open regions without regard to the write limit. */
  void close() {
    resize.close();
    forEachLog(DeviceLog::close);
    if (pacer != null) {
      pacer.lift();
    }
  }

  boolean all(Predicate<DeviceWorker> what) {
    return workers.stream().allMatch(what);
  }

  boolean any(Predicate<DeviceWorker> what) {
    return workers.stream().anyMatch(what);
  }

  /**
   * The log to put a block into: the same for the same block while its device works, else another
   * one.
   *
   * @return null if none can be written to
   */
  DeviceLog writableFor(String file, long offset) {
    int first =
        workers.size() == 1 ? 0 : (int) ((BlockKey.hash(file, offset) >>> 33) % workers.size());
    for (int i = 0; i < workers.size(); i++) {
      DeviceLog candidate = workers.get((first + i) % workers.size()).owner();
      if (candidate.io().health().isWritable()) {
        return candidate;
      }
    }
    return null;
  }

  /** The paths as they are now. */
  List<PathStats> paths() {
    return workers.stream().map(worker -> stats(worker.owner())).toList();
  }

  private PathStats stats(DeviceLog log) {
    long liveBytes = Arrays.stream(log.regions()).mapToLong(Region::liveBytes).sum();
    long sizeBytes = (long) log.free().inUse() * regionBytes;
    return log.io().stats(new PathStats.Space(sizeBytes, Math.max(0, liveBytes)));
  }

  /** Bytes of the regions that are closed, and still read. */
  long leasedBytes() {
    long leased = regions.all().stream().filter(region -> region.pins.isLeased()).count();
    return leased * regionBytes;
  }

  /** Regions that are not reclaimed because blocks in them are not released. */
  int waitingRegions() {
    return workers.stream().mapToInt(worker -> worker.held().waiting()).sum();
  }

  /** For how long the first of them is held. */
  long longestWaitNanos() {
    return workers.stream().mapToLong(worker -> worker.held().longestNanos()).max().orElse(0);
  }

  /** Estimated Java heap of the regions. */
  long heapBytes() {
    return (long) regions.all().size() * REGION_HEAP_BYTES;
  }

  /** Waits for something of each log. */
  @FunctionalInterface
  interface Wait {
    boolean await(DeviceWorker worker, Duration limit) throws InterruptedException;
  }

  /** Waits for all logs, in {@code limit} together. False if that took longer. */
  boolean await(Wait wait, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (DeviceWorker each : workers) {
      if (!wait.await(each, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
        return false;
      }
    }
    return true;
  }
}
