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
import dev.terrace.api.TierCounters;
import dev.terrace.region.device.BufferedRegionDevice;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceExecutors;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.MappedRegionDevice;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.WritePacer;
import dev.terrace.region.files.FileOrigins;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.memory.DirectMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The logs of a tier's devices, and the regions of all of them under their numbers.
 *
 * <p>Any thread may call any method.
 */
final class DeviceLogs {

  private static final int REGION_HEAP_BYTES = 208;

  private final List<DeviceLog> logs = new ArrayList<>();
  private final TierRegions regions = new TierRegions();
  private final TierResize resize;
  private final WritePacer pacer;
  private final int regionBytes;
  private final int alignmentBytes;

  /**
   * The logs of devices.
   *
   * @param devices at least one; all of them mapped or none, with regions of the same size
   * @param unshare stops the sharing of objects in some regions
   * @param executors run the devices' I/O
   */
  DeviceLogs(
      List<? extends Device> devices,
      RegionConfig config,
      Consumer<IntPredicate> unshare,
      DeviceExecutors executors,
      LongSupplier nanoTime,
      TierCounters counters,
      DirectMemory memory) {
    Device first = devices.get(0);
    boolean isMapped = first.isMapped();
    this.regionBytes = first.regionBytes();
    IoLimits limits = config.limits();
    long writeLimit = limits.writeBytesPerSecond();
    this.pacer = writeLimit == 0 ? null : new WritePacer(writeLimit, nanoTime);
    FileOrigins origins = config.files().origins();
    int alignment = 1;
    for (Device device : devices) {
      if (device.isMapped() != isMapped || device.regionBytes() != regionBytes) {
        throw new IllegalArgumentException(
            device.path() + " is not of the same kind as " + first.path());
      }
      alignment = Math.max(alignment, device.alignmentBytes());
      DeviceHealth health = new DeviceHealth(device.path(), limits, nanoTime, counters);
      Executor readers = executors.readers(device.path(), limits.readers());
      RegionDevice io =
          isMapped
              ? new MappedRegionDevice(device, health, memory, readers, counters)
              : new BufferedRegionDevice(device, health, pacer, memory, readers, counters);
      DeviceLog log =
          new DeviceLog(io, regions, config, origins, unshare, executors, nanoTime, counters);
      logs.add(log);
    }
    this.alignmentBytes = alignment;
    checkCount(regions.all().size());
    this.resize = new TierResize(logs);
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
    long wanted = sizeBytes / logs.size() / regionBytes;
    if (wanted < 1) {
      throw new IllegalArgumentException(
          "sizeBytes=" + sizeBytes + " is less than a region a path");
    }
    checkCount(wanted * logs.size());
    return resize.to((int) wanted);
  }

  int regionBytes() {
    return regionBytes;
  }

  /** The largest alignment that a device needs for reads and writes. */
  int alignmentBytes() {
    return alignmentBytes;
  }

  long capacityBytes() {
    long inUse = 0;
    for (DeviceLog log : logs) {
      inUse += log.regionsInUse();
    }
    return inUse * regionBytes;
  }

  Region region(int number) {
    return regions.get(number);
  }

  void forEach(Consumer<DeviceLog> action) {
    logs.forEach(action);
  }

  /** Closes all logs. They write their open regions without regard to the write limit. */
  void close() {
    resize.close();
    logs.forEach(DeviceLog::close);
    if (pacer != null) {
      pacer.lift();
    }
  }

  boolean all(Predicate<DeviceLog> what) {
    return logs.stream().allMatch(what);
  }

  boolean any(Predicate<DeviceLog> what) {
    return logs.stream().anyMatch(what);
  }

  /**
   * The log to put a block into: the same for the same block while its device works, else another
   * one.
   *
   * @return null if none can be written to
   */
  DeviceLog writableFor(String file, long offset) {
    if (logs.size() == 1) {
      return logs.get(0).io().health().isWritable() ? logs.get(0) : null;
    }
    int first = (int) ((BlockKey.hash(file, offset) >>> 33) % logs.size());
    for (int i = 0; i < logs.size(); i++) {
      DeviceLog candidate = logs.get((first + i) % logs.size());
      if (candidate.io().health().isWritable()) {
        return candidate;
      }
    }
    return null;
  }

  /** Bytes of the live records in all regions. */
  long liveBytes() {
    long bytes = 0;
    for (Region region : regions.all()) {
      bytes += region.liveBytes();
    }
    return Math.max(0, bytes);
  }

  /** Bytes of the regions that are closed, and still read. */
  long leasedBytes() {
    long leased = regions.all().stream().filter(Region::isLeased).count();
    return leased * regionBytes;
  }

  /** Regions that are not reclaimed because blocks in them are not released. */
  int waitingRegions() {
    return logs.stream().mapToInt(log -> log.held().waiting()).sum();
  }

  /** For how long the first of them is held. */
  long longestWaitNanos() {
    return logs.stream().mapToLong(log -> log.held().longestNanos()).max().orElse(0);
  }

  /** Estimated Java heap of the regions. */
  long heapBytes() {
    return (long) regions.all().size() * REGION_HEAP_BYTES;
  }

  /** Waits for something of each log. */
  @FunctionalInterface
  interface Wait {
    boolean await(DeviceLog log, Duration limit) throws InterruptedException;
  }

  /** Waits for all logs, in {@code limit} together. False if that took longer. */
  boolean await(Wait wait, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (DeviceLog each : logs) {
      if (!wait.await(each, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
        return false;
      }
    }
    return true;
  }
}
