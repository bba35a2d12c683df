// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.CacheFiles;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramMemory;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.hbase.preflight.MemoryCheck;
import dev.terrace.hbase.preflight.ServerProcess;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.DirectMemoryNeeds;
import dev.terrace.hbase.settings.Setting;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.hbase.settings.TierSize;
import dev.terrace.pmem.MappedDevice;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.folder.UnopenedDevice;
import dev.terrace.region.log.ExpiringBlocks;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.ssd.FileDevice;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.util.VersionInfo;

/** The tiers that the settings ask for, open and started. */
final class OpenTiers {

  private static final long MIN_UNDER_WAY_BYTES = 4 << 20;

  /** Inverse of the share of the DRAM tier that may be in demotion at once. */
  private static final int UNDER_WAY_PART = 64;

  /** Period in which all blocks whose reads are not checked are verified once. */
  private static final Duration SCRUB_PERIOD = Duration.ofDays(7);

  private static final int MAX_GROWING_THREADS = 16;

  private final List<Tier<Cacheable>> all = new ArrayList<>();
  private final List<RegionTier<Cacheable>> lasting = new ArrayList<>();
  private final Map<Setting<TierSize>, LivePaths> bySize = new LinkedHashMap<>();
  private final List<String> descriptions = new ArrayList<>();
  private final TerraceSettings settings;
  private final ServerLimits bounds;
  private final CacheFiles files;
  private final ExpiringBlocks expiring;

  /** One codec for all tiers, so that its format numbers agree. */
  private final HBaseBlockCodec codec;

  private final UnaryOperator<PathSplit> contents;
  private DramTier<Cacheable> dram;

  private boolean isNew = true;

  /**
   * Opens all tiers, or none. A path that fails or hangs by its own fault is out of service until
   * it can be opened.
   *
   * @param bounds limits on the server's resources
   * @param contents adds to paths what identifies their bytes, and how to encrypt them
   * @param files the files of the cache
   * @param expiring the blocks that the tiers on devices neither store nor rewrite
   * @throws SettingsException if memory, a path or a disk does not match a setting; the error is
   *     logged first
   */
  OpenTiers(
      TerraceSettings settings,
      ServerLimits bounds,
      HBaseBlockCodec codec,
      UnaryOperator<PathSplit> contents,
      CacheFiles files,
      ExpiringBlocks expiring) {
    this.settings = settings;
    this.bounds = bounds;
    this.files = files;
    this.expiring = expiring;
    this.codec = codec;
    this.contents = contents;
    try {
      if (settings.dramSizeBytes() > 0) {
        openDram();
      }
      if (settings.pmem().isConfigured()) {
        openPmem();
      }
      if (settings.ssd().isConfigured()) {
        openSsd();
      }
    } catch (RuntimeException | Error e) {
      close();
      if (e instanceof SettingsException wrong) {
        throw wrong.logged();
      }
      throw e;
    }
  }

  /** Closes the tiers, of which no cache was made. */
  void close() {
    all.forEach(Tier::close);
  }

  private void openDram() {
    long sizeBytes = settings.dramSizeBytes();
    DramConfig config =
        new DramConfig(
            sizeBytes, settings.get(TerraceSettings.DRAM_PROTECTED_SHARE), bounds.dramHeapBytes());
    try {
      dram = new DramTier<>(codec, config, dramMemory());
    } catch (OutOfMemoryError e) {
      throw new SettingsException(DirectMemoryNeeds.noneLeftFor(sizeBytes), e);
    }
    all.add(dram);
    descriptions.add("dram " + ByteSize.readable(sizeBytes) + " direct memory");
  }

  /** Grows in parallel: the kernel zeroes pages faster with more processors, up to a point. */
  private DramMemory dramMemory() {
    int threads = Math.min(MAX_GROWING_THREADS, Runtime.getRuntime().availableProcessors());
    Executor executor = DeviceThreads.onDemand("terrace-dram-memory", threads);
    return DramMemory.inBackground(DirectMemory::freeBytes, executor, threads);
  }

  private void openPmem() {
    open(
        TerraceSettings.PMEM_SIZE,
        TerraceSettings.PMEM_PATHS,
        settings.pmem(),
        MappedDevice::openAll,
        config("pmem", settings.pmem())
            .withCompression(settings.get(TerraceSettings.PMEM_COMPRESSION)),
        device -> device instanceof MappedDevice mapped && mapped.isDax() ? "DAX" : "not DAX");
  }

  private RegionConfig config(String name, TierSpace space) {
    return RegionConfig.named(name, files)
        .withExpiring(expiring)
        .withEncryptsAll(settings.get(TerraceSettings.ENCRYPTION) == DeviceEncryption.ALL)
        .withScrubPeriod(SCRUB_PERIOD)
        .withIndexMemory(
            DirectMemory.sparing(DirectMemoryNeeds.indexBytes(space), bounds.sparedBytes()));
  }

  private void openSsd() {
    boolean verify = settings.get(TerraceSettings.SSD_VERIFY);
    boolean wantsDirect =
        settings
            .get(TerraceSettings.SSD_DIRECT)
            .isDirect(settings.dramSizeBytes(), bounds.pageCacheBytes());
    String suffix = verify ? "" : ", not verified";
    open(
        TerraceSettings.SSD_SIZE,
        TerraceSettings.SSD_PATHS,
        settings.ssd(),
        split -> FileDevice.openAll(split, wantsDirect),
        config("ssd", settings.ssd())
            .withCompression(settings.get(TerraceSettings.SSD_COMPRESSION))
            .withVerify(verify)
            .withLimits(
                IoLimits.of(bounds.ssdReaders(), settings.get(TerraceSettings.SSD_WRITE_LIMIT))),
        device ->
            (device instanceof FileDevice file && file.isDirect() ? "direct I/O" : "page cache")
                + suffix);
  }

  private List<Device> open(Setting<?> paths, PathSplit split, Opening opening) {
    try {
      return opening.open(contents.apply(split));
    } catch (IOException e) {
      throw new SettingsException(
          paths.key()
              + " cannot be used: "
              + Objects.requireNonNullElse(e.getMessage(), e.toString()),
          e);
    }
  }

  /**
   * Opens a tier.
   *
   * @param access describes how an open device is accessed
   */
  private void open(
      Setting<TierSize> size,
      Setting<?> paths,
      TierSpace space,
      Opening kind,
      RegionConfig config,
      Function<Device, String> access) {
    Function<PathSplit, List<Device>> opening = split -> open(paths, split, kind);
    // A faulty path does not prevent the others from starting.
    List<Device> devices = opening.apply(space.split().withoutSickPaths());
    isNew &= devices.stream().allMatch(d -> d.generation() == 1 && !(d instanceof UnopenedDevice));
    RegionTier<Cacheable> tier;
    try {
      tier = RegionTier.open(codec, devices, config);
    } catch (RuntimeException | Error e) {
      devices.forEach(Device::close);
      throw e;
    }
    all.add(tier);
    lasting.add(tier);
    bySize.put(size, new LivePaths(tier, space, opening));
    String accesses =
        devices.stream()
            .filter(device -> !(device instanceof UnopenedDevice))
            .map(access)
            .distinct()
            .collect(Collectors.joining(" and "));
    descriptions.add(
        "%s %s in %s (%s%s)"
            .formatted(
                config.name(),
                space.size().isShare()
                    ? space.size()
                    : ByteSize.readable(tier.space().capacityBytes()),
                devices.stream().map(OpenTiers::described).collect(Collectors.joining(", ")),
                accesses.isEmpty() ? "without this tier until one can be opened" : accesses,
                config.compression() == Compression.NONE ? "" : ", " + config.compression()));
  }

  private static String described(Device device) {
    return device.path() + (device instanceof UnopenedDevice ? " out of service" : "");
  }

  /** The tiers as one cache, with the moves between them. */
  TieredCache<Cacheable> asCache() {
    long writeLimit = settings.get(TerraceSettings.SSD_WRITE_LIMIT);
    Movement movement =
        Movement.standard(
            all,
            settings.hasEndurance(),
            writeLimit == 0 ? Map.of() : Map.of("ssd", writeLimit),
            System::nanoTime,
            DeviceThreads.onDemand("terrace-demotion", 1),
            underWayBytes());
    return new TieredCache<>(files, all, codec, movement);
  }

  /**
   * Limit of bytes in demotion. Blocks in demotion are usually in memory that the DRAM tier leaves
   * free, but not if the tier is very small, or if they are in pinned regions.
   */
  private long underWayBytes() {
    long dramBytes = dram == null ? 0 : dram.capacityBytes();
    return Math.max(MIN_UNDER_WAY_BYTES, dramBytes / UNDER_WAY_PART);
  }

  /** All tiers, the highest first. */
  List<Tier<Cacheable>> all() {
    return List.copyOf(all);
  }

  /** The tiers that survive a restart. */
  List<RegionTier<Cacheable>> lasting() {
    return List.copyOf(lasting);
  }

  /** The tiers that survive a restart, by their size settings. */
  Map<Setting<TierSize>, LivePaths> bySize() {
    return Collections.unmodifiableMap(bySize);
  }

  /** Whether no path has been a cache before, so that no block is there. */
  boolean isNew() {
    return isNew;
  }

  Optional<DramTier<Cacheable>> dram() {
    return Optional.ofNullable(dram);
  }

  /** The open tiers, for the start line. */
  String description() {
    return String.join("; ", descriptions);
  }

  @FunctionalInterface
  private interface Opening {
    List<Device> open(PathSplit split) throws IOException;
  }

  /**
   * Limits on the server's resources: heap and direct memory for small blocks, page cache, and
   * handlers inside one SSD path.
   *
   * @param dramHeapBytes Java heap for the objects that represent blocks in DRAM
   * @param sparedBytes direct memory that an index leaves to HBase if it outgrows its estimate
   * @param pageCacheBytes memory of the machine, or container, that the JVM never takes
   * @param ssdReaders maximum callers inside one SSD path, all of which a hung disk may block
   */
  record ServerLimits(long dramHeapBytes, long sparedBytes, long pageCacheBytes, int ssdReaders) {

    private static final double SHARE_OF_HANDLERS = 0.4;
    private static final int MAX_READERS = 1000;

    /** The bounds in this process. */
    static ServerLimits of(SiteValues site, TerraceSettings settings) {
      ServerProcess process = ServerProcess.current(VersionInfo.getVersion());
      return new ServerLimits(
          MemoryCheck.dramHeapBytes(site, settings, process.heapBytes()),
          DirectMemoryNeeds.hbaseBytes(site),
          process.pageCacheBytes(),
          ssdReaders(site));
    }

    /** A share of the handlers, so that the rest keep serving while a disk hangs. */
    private static int ssdReaders(SiteValues site) {
      long ofHandlers = (long) (DirectMemoryNeeds.handlers(site) * SHARE_OF_HANDLERS);
      return (int) Math.max(IoLimits.USUAL_READERS, Math.min(MAX_READERS, ofHandlers));
    }
  }
}
