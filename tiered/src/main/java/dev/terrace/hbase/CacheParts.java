// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.CacheFiles;
import dev.terrace.api.Tier;
import dev.terrace.hbase.blocks.BlockInserter;
import dev.terrace.hbase.blocks.BlockSizes;
import dev.terrace.hbase.blocks.DataTiering;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.hbase.blocks.HeapCopies;
import dev.terrace.hbase.blocks.PackedBlockFilter;
import dev.terrace.hbase.cacheonwrite.CompactionCaching;
import dev.terrace.hbase.cacheonwrite.FlushCaching;
import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.diagnosis.FileEvents;
import dev.terrace.hbase.diagnosis.WhyNotCached;
import dev.terrace.hbase.files.ClosedRegions;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.FilesToEvictFirst;
import dev.terrace.hbase.files.OnlineRegion;
import dev.terrace.hbase.files.RunningCompactions;
import dev.terrace.hbase.files.TableQuotas;
import dev.terrace.hbase.preflight.ServerProcess;
import dev.terrace.hbase.preflight.StartChecks;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.LiveSettings;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.status.CacheSizes;
import dev.terrace.hbase.status.CachedFiles;
import dev.terrace.hbase.status.FamilyLookups;
import dev.terrace.hbase.status.TerraceCacheStats;
import dev.terrace.hbase.status.TerraceStatus;
import dev.terrace.hbase.warmup.RegionWarmup;
import dev.terrace.hbase.web.StatusPage;
import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.tiered.TieredCache;
import dev.terrace.tiered.plan.LiveCurves;
import dev.terrace.tiered.trace.TraceRecorder;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a cache, created and wired. Nothing runs before {@link #startServing}. */
final class CacheParts {

  private static final Logger LOG = LoggerFactory.getLogger(TieredBlockCache.class);
  private static final Duration FILES_EVERY = Duration.ofSeconds(10);

  final TieredCache<Cacheable> tiers;
  final TerraceCacheStats stats;
  final CacheSizes sizes;
  final BlockAccess blocks;
  final PutRouter puts;
  final Evictions evictions;
  final FileCatalog known;
  final CachedFiles files;
  final BlockSizes blockSizes;
  final LiveSettings settings;
  final TerraceService service;

  private final OwningServer server;
  private final ClosedRegions closedRegions;
  private final FilesToEvictFirst evictFirst;
  final RegionWarmup regionWarmup;
  private final StatusPage page;
  private final boolean serves;
  private final boolean getsOutput;
  private final List<Finding> warnings;
  private final LongSupplier nanoClock;

  /** Opens the tiers that the settings ask for. If that fails, no path stays locked. */
  static CacheParts of(Configuration conf, EntryPoint entryPoint, LongSupplier nanoClock) {
    AtomicReference<OpenTiers> opened = new AtomicReference<>();
    try {
      return new CacheParts(conf, entryPoint, nanoClock, opened);
    } catch (RuntimeException | Error e) {
      Optional.ofNullable(opened.get()).ifPresent(OpenTiers::close);
      throw e;
    }
  }

  private CacheParts(
      Configuration conf,
      EntryPoint entryPoint,
      LongSupplier nanoClock,
      AtomicReference<OpenTiers> opened) {
    this.nanoClock = nanoClock;
    this.serves = entryPoint != EntryPoint.OUTSIDE_OF_REGION_SERVERS;
    Optional<StartChecks> start = serves ? Optional.of(check(conf)) : Optional.empty();
    TerraceSettings initial = start.map(StartChecks::settings).orElse(TerraceSettings.OF_NO_TIER);
    // Before memory is touched: the kernel kills a process that takes too much, without a line.
    start.ifPresent(
        checks -> LOG.info("Memory that Terrace and HBase may take: {}", checks.memory()));
    this.warnings = start.map(StartChecks::warnings).orElse(List.of());
    this.server = new OwningServer(entryPoint == EntryPoint.EXTERNAL_CACHE);
    // HBase has no default for these settings, and without one no family can be encrypted.
    CacheFiles cacheFiles = new CacheFiles(!conf.getPropsWithPrefix("hbase.crypto.").isEmpty());
    PackedBlockFilter packed = new PackedBlockFilter();
    this.known =
        new FileCatalog(cacheFiles, () -> server.regions().peek(packed::listed), nanoClock);
    DataTiering dataTiering = new DataTiering();
    RunningCompactions running = new RunningCompactions(known);
    this.closedRegions =
        new ClosedRegions(
            regions -> ClosedRegions.statesIn(server.find().orElseThrow().getConnection(), regions),
            nanoClock);
    this.evictFirst =
        new FilesToEvictFirst(known, running, closedRegions, dataTiering::coldFiles, nanoClock);
    String contents = initial.pathContents(new SiteValues(conf));
    Optional<KeyWrapper> keys = MasterKey.of(conf, initial);
    OpenTiers open =
        new OpenTiers(
            initial,
            OpenTiers.ServerLimits.of(new SiteValues(conf), initial),
            new HBaseBlockCodec(packed),
            split -> split.withContents(contents, keys),
            cacheFiles,
            evictFirst);
    opened.set(open);
    HeapCopies heapCopies = new HeapCopies(server::find, open.isNew());
    if (entryPoint == EntryPoint.EXTERNAL_CACHE || EntryPoint.isInRegionServer()) {
      heapCopies.startServing();
    }
    this.tiers = open.asCache();
    TableQuotas quotas = new TableQuotas(tiers, known);
    quotas.apply(initial);
    this.settings =
        new LiveSettings(
            initial,
            open.dram(),
            open.bySize(),
            grown -> start.map(checks -> checks.ofGrowth(grown)).orElse(List.of()),
            quotas::apply,
            DeviceThreads.onDemand("terrace-settings", 1));
    this.stats =
        new TerraceCacheStats(
            () -> open.all().stream().map(Tier::stats), conf, System::currentTimeMillis);
    tiers.reportLosses(tier -> block -> stats.lost(nanoClock.getAsLong() - block.putNanos()));
    this.sizes = new CacheSizes(open.all(), evictFirst::leavingBytes, nanoClock);
    // An external cache is below a cache on the heap, and that one would receive all the output.
    this.getsOutput = entryPoint != EntryPoint.EXTERNAL_CACHE;
    BlockInserter inserter = new BlockInserter(tiers);
    StoreCaching stores = new StoreCaching(server, conf);
    CompactionCaching compactions =
        new CompactionCaching(
            inserter,
            running,
            context -> stores.storeOf(context).effectiveConfig(),
            getsOutput && initial.get(TerraceSettings.CACHE_HOT_OUTPUT),
            conf);
    FlushCaching flushes =
        new FlushCaching(
            inserter,
            stores::storeOf,
            getsOutput && initial.get(TerraceSettings.CACHE_HOT_OUTPUT),
            conf);
    this.puts = new PutRouter(inserter, compactions, flushes);
    this.regionWarmup =
        new RegionWarmup(
            tiers,
            known,
            puts,
            server::find,
            () -> settings.current().get(TerraceSettings.WARM_RATE),
            nanoClock);
    this.files = new CachedFiles(tiers, known, nanoClock);
    FamilyLookups familyLookups = new FamilyLookups(tiers, known, System::currentTimeMillis);
    FileEvents events = new FileEvents(tiers, known, System::currentTimeMillis);
    TraceRecorder traces =
        new TraceRecorder(name -> known.owner(known.find(name)).table(), nanoClock);
    this.blocks =
        new BlockAccess(
            tiers,
            heapCopies,
            packed,
            puts,
            known,
            dataTiering,
            compactions,
            events,
            familyLookups,
            traces,
            new StoreReads(
                nanoClock, nanos -> open.lasting().forEach(tier -> tier.storeRead(nanos))),
            stats);
    this.evictions =
        new Evictions(
            tiers,
            known,
            flushes,
            evictFirst,
            events,
            Evictions.evictsOnClose(conf),
            this::isEnding);
    this.blockSizes = new BlockSizes(tiers);
    Optional<LiveCurves> curves = curves(initial, open);
    TerraceStatus status =
        new TerraceStatus(
            entryPoint.toString(),
            open.description(),
            settings,
            files,
            familyLookups,
            new WhyNotCached(
                tiers, known, events, heapCopies, () -> quotas.figures(familyLookups.byFamily())),
            new TerraceStatus.WarmCounters(
                compactions::figures, flushes::figures, regionWarmup::figures),
            traces,
            curves);
    this.page = new StatusPage(status, known, familyLookups, conf, server::find);
    Chores chores = chores(quotas, stores, curves);
    this.service =
        new TerraceService(
            open, tiers, status, chores, () -> regionWarmup.end(server.openRegions()), nanoClock);
  }

  /**
   * Runs all preflight checks in a starting region server, and logs their findings before memory is
   * touched: the kernel kills a process that takes too much. Errors are logged, too, because HBase
   * may wrap the exception, or carry on without Terrace.
   *
   * @throws SettingsException naming everything that prevents the start
   */
  static StartChecks check(Configuration conf) {
    StartChecks checks =
        new StartChecks(new SiteValues(conf), ServerProcess.current(VersionInfo.getVersion()));
    if (!checks.errors().isEmpty()) {
      throw new SettingsException(checks.errors()).logged();
    }
    // Opening a path reports that it is out of service.
    LiveSettings.log(
        checks.warnings().stream()
            .filter(finding -> finding.severity() != Finding.Severity.OUT)
            .toList());
    return checks;
  }

  private Optional<LiveCurves> curves(TerraceSettings initial, OpenTiers open) {
    if (open.dram().isEmpty()) {
      return Optional.empty();
    }
    LongSupplier cpuClock = ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime;
    int processors = Runtime.getRuntime().availableProcessors();
    return Optional.of(
        new LiveCurves(tiers, initial.hasEndurance(), nanoClock, cpuClock, processors));
  }

  private Chores chores(TableQuotas quotas, StoreCaching stores, Optional<LiveCurves> curves) {
    Chores chores = new Chores();
    if (stats.isRolling()) {
      chores.add(
          "HBase's periodic hit ratios",
          Duration.ofMinutes(stats.getPeriodTimeInMinutes()),
          stats::rollMetricsPeriod);
    }
    chores.add("evict-first files", FILES_EVERY, () -> ifInUse(() -> evictFirst.check(tiers)));
    chores.add("closed regions", FILES_EVERY, () -> ifInUse(closedRegions::check));
    chores.add("shares of tables", FILES_EVERY, quotas::learn);
    chores.add(
        "table names",
        FILES_EVERY,
        () -> server.find().ifPresent(of -> quotas.warnOfUnknown(of.getTableDescriptors())));
    chores.add("caching settings of stores", FILES_EVERY, stores::restore);
    chores.add("pending settings", FILES_EVERY, settings::retry);
    chores.add(
        "warm-up lists",
        RegionWarmup.CHECK_INTERVAL,
        () -> regionWarmup.writeChanged(server.openRegions()));
    chores.add("status page", StatusPage.EVERY, page::sample);
    curves.ifPresent(simulated -> chores.add("what-if", LiveCurves.EVERY, simulated::step));
    return chores;
  }

  /** Whether the cache or its server is ending: the next start reads the same files again. */
  private boolean isEnding() {
    return service.isClosing() || server.isEnding();
  }

  private void ifInUse(Runnable look) {
    if (server.find().isPresent() && !isEnding()) {
      look.run();
    }
  }

  /** Sets the region server that uses the cache. */
  void attach(HRegionServer regionServer) {
    puts.enableCacheOnWrite(regionServer.getConfiguration());
    server.set(regionServer);
    try {
      OnlineRegions.watch(regionServer, this::opened, this::closed);
    } catch (IllegalStateException e) {
      LOG.warn("Cannot observe regions as they open and close: regions that move start cold", e);
    }
    regionWarmup.serveIn(regionServer);
    blocks.heapCopies.startServing();
    page.sample();
  }

  private void opened(HRegion region) {
    OnlineRegion open = OnlineRegion.of(region);
    blocks.packed.listed(open);
    known.opened(open);
    closedRegions.opened(region.getRegionInfo());
    regionWarmup.opened(region);
  }

  private void closed(HRegion region) {
    closedRegions.closed(region.getRegionInfo());
    regionWarmup.closed(region);
  }

  /** Does nothing for an external cache: HBase's cache above offers blocks that others hold. */
  void indexHandedOver(Cacheable block) {
    if (getsOutput) {
      puts.indexHandedOver(block);
    }
  }

  /** Starts the background tasks, if the cache is a region server's. */
  void startServing(TieredBlockCache cache) {
    server.uses(cache);
    if (serves) {
      settings.reported(warnings);
      service.start();
    } else {
      LOG.info("Terrace is inactive in this process, only region servers cache: no action needed");
    }
  }
}
