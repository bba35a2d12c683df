// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static dev.terrace.tiered.MoveOutcome.ALREADY_PRESENT;
import static dev.terrace.tiered.MoveOutcome.MOVED;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.CacheFile;
import dev.terrace.api.Tier;
import dev.terrace.api.TierStats;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.HeldFiles;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.format.Superblock.CacheSecret;
import dev.terrace.tiered.MoveStats;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.SecondTouch;
import dev.terrace.tiered.TieredCache;
import dev.terrace.tiered.plan.TierSizes;
import dev.terrace.tools.trace.Trace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Terrace itself: its real tiers with real blocks; the bytes of each hit are checked.
 *
 * @param clock the time of a trace, so that per-second work is the same on each machine
 */
record ReplayedTiers(
    TieredCache<Cacheable> cache,
    HeldFiles files,
    StoredScale scale,
    BlockSet blocks,
    AtomicLong clock)
    implements AutoCloseable {

  /** The goal of writes to Terrace's lower tiers. */
  enum Writes {
    HITS,
    /** Hits, with few writes. */
    ENDURANCE,
    /** Writes each block that leaves a tier to the next one, for comparison. */
    EVERYTHING
  }

  private static final BlockTraits TRAITS = new BlockTraits(0, Residency.ORDINARY);

  /** Large enough that file names are negligible in a region's table. */
  private static final int BLOCKS_PER_FILE = 1 << 16;

  private static final long ACCESS_NANOS = 100_000;

  static ReplayedTiers open(Trace trace, TierSizes sizes, Writes writes) {
    AtomicLong clock = new AtomicLong();
    boolean hasLowerTiers = sizes.allBytes() > sizes.dramBytes();
    StoredScale scale = StoredScale.of(trace, sizes.dramBytes(), hasLowerTiers);
    HBaseBlockCodec codec = new HBaseBlockCodec();
    HeldFiles files = new HeldFiles();
    List<Tier<Cacheable>> tiers = new ArrayList<>();
    if (sizes.dramBytes() > 0) {
      tiers.add(new DramTier<>(codec, new DramConfig(scale.tierBytes(sizes.dramBytes()), 0)));
    }
    for (String name : List.of("pmem", "ssd")) {
      if (sizes.bytes(name) > 0) {
        // The real tier over a device in memory, on the replay's own thread.
        boolean isMapped = name.equals("pmem");
        Device device = MemoryDevice.forRecords(name, isMapped, scale, sizes.bytes(name));
        RegionConfig config = RegionConfig.named(name, files.all());
        RegionTier<Cacheable> tier =
            new RegionTier<>(codec, List.of(device), config, path -> Runnable::run, clock::get);
        tier.start();
        tiers.add(tier);
      }
    }
    boolean isEndurance = writes == Writes.ENDURANCE;
    Movement movement =
        writes == Writes.EVERYTHING
            ? new Movement(
                Map.of(),
                new SecondTouch(tiers.subList(1, tiers.size())),
                Runnable::run,
                Long.MAX_VALUE)
            : Movement.standard(
                tiers, isEndurance, Map.of(), System::nanoTime, Runnable::run, Long.MAX_VALUE);
    BlockSet blocks = scale.blocks(trace).inFilesOf(BLOCKS_PER_FILE);
    return new ReplayedTiers(
        new TieredCache<>(files.all(), tiers, codec, movement), files, scale, blocks, clock);
  }

  /** Looks up a block, and puts it on a miss; true for a hit. */
  boolean access(int block) {
    clock.addAndGet(ACCESS_NANOS);
    CacheFile file = files.file(blocks.file(block));
    long offset = blocks.offset(block);
    if (blocks.isHit(block, cache.get(file, offset, Access.CACHING))) {
      return true;
    }
    HFileBlock missing = blocks.newBlock(block);
    cache.put(file, offset, missing, TRAITS);
    missing.release();
    return false;
  }

  List<TierFigures> tiers() {
    List<TierFigures> figures = new ArrayList<>();
    cache.stats().forEach((name, stats) -> figures.add(figures(name, stats)));
    return figures;
  }

  private TierFigures figures(String name, TierStats stats) {
    long refused =
        cache.moves().stream()
                .filter(move -> move.to().equals(name))
                .flatMap(move -> move.blocks().entrySet().stream())
                .filter(each -> each.getKey() != MOVED && each.getKey() != ALREADY_PRESENT)
                .mapToLong(Map.Entry::getValue)
                .sum()
            + stats.events().refusals().values().stream().mapToLong(Long::longValue).sum();
    String highest = cache.stats().keySet().iterator().next();
    return new TierFigures(
        name,
        stats.reads().hits().counted(),
        stats.writes().puts(),
        scale.traceBytes(stats.writes().putBytes()),
        scale.traceBytes(stats.writes().rewrittenBytes()),
        moved(move -> move.from().equals(name) && move.to().equals(highest)),
        moved(move -> move.from().equals(name) && !move.to().equals(highest)),
        refused);
  }

  private long moved(Predicate<MoveStats> which) {
    return cache.moves().stream()
        .filter(which)
        .mapToLong(move -> move.blocks().getOrDefault(MOVED, 0L))
        .sum();
  }

  @Override
  public void close() {
    cache.close();
  }

  /**
   * How large blocks are stored during a replay. The blocks of a trace may be many gigabytes. Hits
   * depend on how many of them fit, so blocks and tiers can shrink alike.
   *
   * @param factor stored bytes for each byte of the trace
   * @param meanStoredBytes the mean size of a stored block
   */
  record StoredScale(double factor, double meanStoredBytes) {

    /** The size of a stored block where all have one size: a page of the DRAM tier. */
    private static final int PAGE_BYTES = 4096;

    /** Blocks of several sizes are stored larger, so that rounding to pages hardly matters. */
    private static final int MEAN_BYTES_OF_SEVERAL_SIZES = 8 * PAGE_BYTES;

    private static final int MIN_DATA_BYTES = 3 * Long.BYTES;

    /** A record's header, its place in the table, and rounding; negligible for a real block. */
    private static final double RECORD_OVERHEAD_BYTES = 160;

    private static final int ROOM_FOR_HEADERS_BYTES = 512;

    static boolean hasOneSize(Trace trace) {
      return trace.distinctBytes() == (long) trace.unitBytes() * trace.distinctBlocks();
    }

    /**
     * The scale for a trace and its tiers. It keeps a DRAM tier at or above the least size of one;
     * 0 bytes mean none.
     */
    static StoredScale of(Trace trace, long dramBytes, boolean hasLowerTiers) {
      double meanBytes = (double) trace.distinctBytes() / trace.distinctBlocks();
      double stored = hasOneSize(trace) ? PAGE_BYTES : MEAN_BYTES_OF_SEVERAL_SIZES;
      // Whole records fill a region, as they nearly do in one that holds hundreds.
      double headers = hasLowerTiers ? ROOM_FOR_HEADERS_BYTES : 0;
      while (dramBytes > 0
          && dramBytes / meanBytes * (stored - headers) < DramConfig.MIN_CAPACITY_BYTES) {
        stored *= 2;
      }
      stored -= headers;
      return new StoredScale(stored / meanBytes, stored);
    }

    /** The size of a block in a region, with its header and its place in the table. */
    int recordBytes() {
      return (int) (meanStoredBytes + RECORD_OVERHEAD_BYTES);
    }

    BlockSet blocks(Trace trace) {
      return BlockSet.ofSizes(
          IntStream.range(0, trace.distinctBlocks())
              .mapToLong(block -> Math.round(trace.sizeBytes(block) * factor))
              .mapToInt(bytes -> (int) Math.max(MIN_DATA_BYTES, bytes - BlockSet.OVERHEAD_BYTES))
              .toArray());
    }

    long tierBytes(long sizeBytes) {
      return (long) Math.ceil(sizeBytes * factor);
    }

    /** Converts stored bytes to the trace's measure. */
    long traceBytes(long storedBytes) {
      return Math.round(storedBytes / factor);
    }
  }

  /** A device in memory, so that a replay takes no time for I/O. */
  private record MemoryDevice(
      String path, CacheSecret secret, boolean isMapped, int regionBytes, List<ByteBuffer> memories)
      implements Device {

    private static final int MAX_REGION_BYTES = 16 << 20;

    /** A tier takes no block that is larger than half a region. */
    private static final int MIN_BLOCKS_IN_REGION = 2;

    private static final int REGION_UNIT_BYTES = 4096;

    /** Enough to make clean regions and unused region ends negligible. */
    private static final int REGIONS = 200;

    /** The open region and two clean ones. */
    private static final int NOT_FULL_REGIONS = 3;

    /** A region's header and footer, and some file names. */
    private static final int EDGES_BYTES = 1024;

    /**
     * A device of about two hundred regions with room for blocks of these bytes in total. The open
     * and clean regions come on top; on a real device they are a few of many thousand.
     *
     * @param payloadBytes of all blocks, in the trace's measure
     */
    static MemoryDevice forRecords(
        String name, boolean mapped, StoredScale scale, long payloadBytes) {
      int recordBytes = scale.recordBytes();
      long blocks = Math.max(1, scale.tierBytes(payloadBytes) / (int) scale.meanStoredBytes());
      long wanted = Math.max(MIN_BLOCKS_IN_REGION, blocks / REGIONS) * recordBytes + EDGES_BYTES;
      long units = (wanted + REGION_UNIT_BYTES - 1) / REGION_UNIT_BYTES;
      int regionBytes = (int) Math.min(MAX_REGION_BYTES, units * REGION_UNIT_BYTES);
      int inRegion = (regionBytes - EDGES_BYTES) / recordBytes;
      int regions = (int) ((blocks + inRegion - 1) / inRegion) + NOT_FULL_REGIONS;
      return new MemoryDevice(
          name,
          CacheSecret.random(),
          mapped,
          regionBytes,
          Stream.generate(() -> ByteBuffer.allocateDirect(regionBytes)).limit(regions).toList());
    }

    @Override
    public long generation() {
      return 1;
    }

    @Override
    public int regions() {
      return memories.size();
    }

    @Override
    public ByteBuffer memory(int region) {
      return memories.get(region).duplicate();
    }

    @Override
    public void read(int region, int position, ByteBuffer target) {
      target.put(memories.get(region).slice(position, target.remaining()));
    }

    @Override
    public void write(int region, int position, ByteBuffer source) {
      memories.get(region).put(position, source, source.position(), source.remaining());
      source.position(source.limit());
    }

    @Override
    public void force(int region, int position, int lengthBytes) {}

    @Override
    public void close() {}
  }

  /**
   * The figures of a tier during a replay.
   *
   * @param tier its name
   * @param hits accesses that it served
   * @param blocksWritten blocks stored
   * @param bytesWritten their bytes, at their size in the trace
   * @param bytesRewritten additional bytes of blocks that were rewritten to keep them
   * @param promotions blocks copied from here to a higher tier
   * @param demotions blocks that left and were stored by a lower tier
   * @param refused blocks not stored
   */
  record TierFigures(
      String tier,
      long hits,
      long blocksWritten,
      long bytesWritten,
      long bytesRewritten,
      long promotions,
      long demotions,
      long refused) {

    /** Terrace's tiers, one line for each. */
    static Table table(List<TierFigures> tiers, int accesses) {
      Table table =
          new Table(
              "Terrace's tiers",
              Column.text("tier"),
              Column.of("hits", "hits", Unit.COUNT),
              Column.of("hitRatio", "of all accesses", Unit.EXACT_SHARE),
              Column.of("blocksWritten", "blocks written", Unit.COUNT),
              Column.of("bytesWritten", "written", Unit.BYTES),
              Column.of("bytesRewritten", "rewritten", Unit.BYTES),
              Column.of("promotions", "promoted", Unit.COUNT),
              Column.of("demotions", "demoted", Unit.COUNT),
              Column.of("refused", "refused", Unit.COUNT));
      for (TierFigures tier : tiers) {
        table.row(
            Look.TERRACE,
            tier.tier,
            tier.hits,
            (double) tier.hits / accesses,
            tier.blocksWritten,
            tier.bytesWritten,
            tier.bytesRewritten,
            tier.promotions,
            tier.demotions,
            tier.refused);
      }
      return table;
    }
  }
}
