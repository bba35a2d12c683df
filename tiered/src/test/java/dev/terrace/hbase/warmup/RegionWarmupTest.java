// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.LocalCluster;
import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TestTiers;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.OnlineRegion;
import dev.terrace.tiered.TieredCache;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.master.hbck.HbckChore;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory.Trackers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Regions that move between two servers, each with DRAM and SSD. */
@Tag("hadoop")
@Tag("cluster")
@Tag("long")
class RegionWarmupTest {

  private static final int ROWS = 20_000;

  /** Every so many rows one is read: a few blocks lie between. */
  private static final int HOT_EVERY = 100;

  @TempDir static File folder;
  @RegisterExtension final TestTiers opened = new TestTiers();
  @RegisterExtension final LogLines log = new LogLines(RegionWarmer.class);
  private final AtomicLong nanos = new AtomicLong(1);
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    cluster = new LocalCluster(folder, 2);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static long figure(int server, String name) {
    return cluster.cache(server).regionWarmup().get(name);
  }

  private static long figure(String name) {
    return figure(0, name) + figure(1, name);
  }

  private static int home(TableName table) {
    return cluster.regionsOf(0, table).isEmpty() ? 1 : 0;
  }

  private static HRegion region(TableName table) {
    return cluster.regionsOf(home(table), table).get(0);
  }

  private static TableName loaded(String name) throws IOException {
    TableName table = cluster.create(name, Map.of(), true);
    cluster.load(table, 0, ROWS);
    return table;
  }

  private static void move(TableName table, int to) throws IOException {
    byte[] region = region(table).getRegionInfo().getEncodedNameAsBytes();
    // HBase opens a region elsewhere if the server has just started.
    await()
        .until(
            () -> {
              if (cluster.regionsOf(1 - to, table).size() == 1) {
                cluster.admin.move(region, cluster.server(to).getServerName());
              }
              return !cluster.regionsOf(to, table).isEmpty();
            });
    awaitOpenAndWarm(table, to);
  }

  private static void awaitOpenAndWarm(TableName table, int server) {
    await().until(() -> !cluster.regionsOf(server, table).isEmpty());
    await().until(() -> figure(server, "regionsToWarm") == 0);
  }

  /** Reads the hot rows, and returns how many lookups missed. */
  private static long missesOfHotRows(TableName table) throws IOException {
    cluster.locate(table);
    long before = misses();
    readHotRows(table);
    return misses() - before;
  }

  private static long misses() {
    return cluster.cache(0).getStats().getMissCount() + cluster.cache(1).getStats().getMissCount();
  }

  private static void readHotRows(TableName table) throws IOException {
    try (Table reads = cluster.open(table)) {
      for (int number = 0; number < ROWS; number += HOT_EVERY) {
        byte[] row = LocalCluster.row(number);
        byte[] value = reads.get(new Get(row)).getValue(LocalCluster.FAMILY, LocalCluster.FAMILY);
        assertThat(value).isEqualTo(LocalCluster.value(row));
      }
    }
  }

  private static long cachedBytes(int server, TableName table) {
    String file = cluster.fileOf(region(table));
    return cluster.cachedBytes(server).getOrDefault(file, 0L);
  }

  private static Path list(TableName table) {
    return list(region(table));
  }

  /** The newest one; a path where none is if there is none. */
  static Path list(HRegion region) {
    Path folder = Path.of(region.getRegionFileSystem().getRegionDir().toUri().getPath());
    String prefix = HotListFile.prefix(region.getRegionInfo());
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .max(Comparator.naturalOrder())
          .orElse(folder.resolve(prefix));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aRegionThatMovesIsWarm() throws IOException {
    TableName table = loaded("moves");
    int home = home(table);
    int other = 1 - home;
    missesOfHotRows(table);
    assertThat(missesOfHotRows(table)).isZero();
    long hotBytes = cachedBytes(home, table);
    long readBefore = figure(other, "bytesReadToWarm");
    long failedBefore = figure(other, "blocksFailed");

    move(table, other);

    assertThat(missesOfHotRows(table)).as("misses after the move").isZero();
    assertThat(cachedBytes(other, table)).isEqualTo(hotBytes);
    long read = figure(other, "bytesReadToWarm") - readBefore;
    assertThat(read).isBetween(hotBytes / 2, hotBytes * 6 / 5);
    assertThat(figure(other, "blocksFailed")).isEqualTo(failedBefore);
    HStoreFile file = region(table).getStores().get(0).getStorefiles().iterator().next();
    assertThat(Files.getPosixFilePermissions(list(table)))
        .isEqualTo(Files.getPosixFilePermissions(Path.of(file.getPath().toUri().getPath())));

    readBefore = figure(home, "bytesReadToWarm");
    move(table, home);

    assertThat(missesOfHotRows(table)).as("misses after the way back").isZero();
    assertThat(figure(home, "bytesReadToWarm"))
        .as("bytes read by a server that kept the blocks")
        .isEqualTo(readBefore);
  }

  @Test
  void aListOfAnOpenRegionIsWrittenAgainIfItsBlocksChange() throws IOException {
    TableName table = loaded("changes");
    List<HRegion> regions = List.of(region(table));
    String file = cluster.fileOf(region(table));
    TieredCache<Cacheable> tiers = opened.open("hbase.terrace.dram.size", "8m");
    FileCatalog known =
        new FileCatalog(FILES, () -> regions.stream().map(OnlineRegion::of), nanos::get);
    known.learnOpenFiles();
    HotListWriter writer =
        new HotListWriter(tiers, known, () -> "", Runnable::run, new LongAdder(), nanos::get);
    writer.writeChanged(regions);
    put(tiers, file, 0, 100);

    pass(HotListWriter.FIRST_AFTER.minusSeconds(1));
    writer.writeChanged(regions);
    assertThat(list(table)).as("soon after the opening").doesNotExist();
    pass(HotListWriter.FIRST_AFTER);
    writer.writeChanged(regions);
    assertThat(blocks(table)).isEqualTo(100);

    put(tiers, file, 100, 111);
    pass(HotListWriter.EVERY.minusSeconds(1));
    writer.writeChanged(regions);
    assertThat(blocks(table)).as("soon after the last list").isEqualTo(100);
    pass(HotListWriter.EVERY);
    writer.writeChanged(regions);
    assertThat(blocks(table)).as("after some time").isEqualTo(111);

    tiers.evictRange(file(file), 0, 9 * 5_000L);
    pass(HotListWriter.EVERY.multipliedBy(2));
    writer.writeChanged(regions);
    assertThat(blocks(table)).as("after an eviction").isEqualTo(101);
    put(tiers, file, 111, 112);
    Files.delete(list(table));
    pass(HotListWriter.EVERY.multipliedBy(2));
    writer.writeChanged(regions);
    assertThat(list(table)).as("if one of 102 blocks has changed").doesNotExist();
    writer.end(regions, Duration.ofMinutes(1));
    assertThat(blocks(table)).as("before the end").isEqualTo(102);
    Files.delete(list(table));
    writer.closed(regions.get(0));
    assertThat(list(table)).as("after the end").doesNotExist();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static void put(TieredCache<Cacheable> tiers, String file, int from, int to) {
    BlockTraits traits = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
    for (int number = from; number < to; number++) {
      HFileBlock block = TestBlocks.data(file, number * 5_000L, 4_096);
      assertThat(tiers.put(file(file), number * 5_000L, block, traits))
          .isEqualTo(PutOutcome.STORED);
      block.release();
    }
  }

  private static int blocks(TableName table) throws IOException {
    return HotList.decoded(Files.readAllBytes(list(table))).blocks();
  }

  @Test
  void aListThatIsWrongCostsNoReadAWrongByte() throws IOException {
    TableName table = loaded("lies");
    missesOfHotRows(table);
    missesOfHotRows(table);
    byte[] right = closedAndRead(table);
    HotList list = HotList.decoded(right);
    byte[] newer = right.clone();
    newer[11]++;
    byte[] flipped = right.clone();
    flipped[right.length / 2] ^= 1;
    String file = list.files().get(0).file();
    List<HotList.Block> lies = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      lies.add(new HotList.Block(i * 7L, 1 << 26, HotList.Block.mark(0, true, 3)));
    }
    List<HotList.Block> beyond = new ArrayList<>();
    beyond.add(
        new HotList.Block(HotList.END_OF_OFFSETS - 1, 1 << 26, HotList.Block.mark(3, false, 3)));
    for (byte[] unreadable :
        List.of(
            new byte[0],
            Arrays.copyOf(right, right.length - 10),
            newer,
            flipped,
            ByteBuffer.allocate(1 << 20).array())) {
      long before = figure("listsNotRead");
      openWith(table, unreadable);
      assertThat(figure("listsNotRead")).isEqualTo(before + 1);
      missesOfHotRows(table);
      closedAndRead(table);
    }
    long unread = figure("listsNotRead");
    Files.delete(lastList);
    Files.createDirectory(lastList);
    assign(table);
    awaitOpenAndWarm(table);
    assertThat(figure("listsNotRead")).as("a folder in its place").isEqualTo(unread + 1);
    missesOfHotRows(table);
    closed(table);
    Files.delete(lastList);
    assertThat(log.lines().stream().filter(line -> line.contains("Warm-up list not read")))
        .as("lines of two servers")
        .hasSizeBetween(1, 2);
    for (List<HotList.Block> forged : List.of(lies, beyond)) {
      long failed = figure("blocksFailed");
      long read = figure("bytesReadToWarm");
      HotList.OfFile ofGone = HotList.OfFile.of("gone", lies);
      openWith(
          table, new HotList(1, "", List.of(HotList.OfFile.of(file, forged), ofGone)).encoded());
      assertThat(figure("blocksFailed")).isGreaterThan(failed);
      assertThat(figure("bytesReadToWarm") - read).isLessThan(8L << 20);
      missesOfHotRows(table);
      closedAndRead(table);
    }
    long readBefore = figure("bytesReadToWarm");
    openWith(table, withWrongSizes(list).encoded());
    assertThat(figure("bytesReadToWarm") - readBefore)
        .as("with blocks of 64 MB, each in its place")
        .isLessThan(2 * region(table).getStores().get(0).getStorefilesSize());
    missesOfHotRows(table);
    closedAndRead(table);
    openWith(table, right);
    assertThat(missesOfHotRows(table)).isZero();
  }

  private static HotList withWrongSizes(HotList list) {
    List<HotList.OfFile> files = new ArrayList<>();
    for (HotList.OfFile file : list.files()) {
      List<HotList.Block> blocks = new ArrayList<>();
      for (HotList.Block block : file.blocks()) {
        int sizeBytes = blocks.size() % 2 == 0 ? 1 : 1 << 26;
        blocks.add(new HotList.Block(block.offset(), sizeBytes, block.mark()));
      }
      files.add(HotList.OfFile.of(file.file(), blocks));
    }
    return new HotList(1, "", files);
  }

  @Test
  void aListThatComesLateReplacesNoneOfTheNextServer() throws IOException {
    TableName table = loaded("late");
    missesOfHotRows(table);
    HRegion before = region(table);
    move(table, 1 - home(table));
    HRegion now = region(table);
    assertThat(now.getOpenSeqNum()).isGreaterThan(before.getOpenSeqNum());
    closed(table);
    byte[] newest = Files.readAllBytes(lastList);

    LongAdder calls = new LongAdder();
    org.apache.hadoop.fs.Path late =
        HotListFile.write(before, Long.MAX_VALUE, new HotList(1, "", List.of()).encoded(), calls);
    HotListFile.deleteOlder(before, late, null, calls);

    assertThat(list(before)).isEqualTo(lastList).hasBinaryContent(newest);
    assign(table);
    awaitOpenAndWarm(table);
    assertThat(missesOfHotRows(table)).isZero();
  }

  /** The store hangs: a pipe that nobody writes to. */
  @Test
  void aListThatHangsDelaysNoOpenNoReadAndNoClose() throws Exception {
    TableName table = loaded("hangs");
    missesOfHotRows(table);
    byte[] right = closedAndRead(table);
    long unread = figure("listsNotRead");
    Files.delete(lastList);
    assertThat(new ProcessBuilder("mkfifo", lastList.toString()).start().waitFor()).isZero();
    assign(table);
    await().until(() -> open(table).size() == 1);
    missesOfHotRows(table);
    assertThat(figure("regionsToWarm")).as("one that hangs").isEqualTo(1);
    closed(table);
    assertThat(figure("regionsToWarm")).isZero();
    Files.newOutputStream(lastList).close();
    await().until(() -> figure("listsNotRead") == unread + 1);
    Files.delete(lastList);
    openWith(table, right);
    assertThat(missesOfHotRows(table)).isZero();
  }

  @Test
  void dramComesBackAfterARestart() throws Exception {
    TableName table = loaded("restarts");
    if (home(table) != 0) {
      move(table, 0);
    }
    missesOfHotRows(table);
    missesOfHotRows(table);

    cluster.restart(0);

    awaitOpenAndWarm(table, 1);
    assertThat(missesOfHotRows(table)).as("misses elsewhere").isZero();
    move(table, 0);
    assertThat(figure(0, "bytesReadToWarm")).as("the SSD tier had kept all").isZero();
    assertThat(figure(0, "blocksPromoted")).isPositive();
    long below = hits(0, "ssd");
    long above = hits(0, "dram");
    assertThat(missesOfHotRows(table)).isZero();
    assertThat(hits(0, "ssd")).isEqualTo(below);
    assertThat(hits(0, "dram")).isGreaterThan(above);
  }

  private static long hits(int server, String tier) {
    return cluster.cache(server).tierStats().get(tier).reads().hits().counted();
  }

  @Test
  void hbaseMindsNoListAndDeletesItWithItsRegion() throws Exception {
    TableName table =
        cluster.create(
            "source", Map.of(StoreFileTrackerFactory.TRACKER_IMPL, Trackers.FILE.name()), true);
    cluster.load(table, 0, ROWS);
    missesOfHotRows(table);
    move(table, 1 - home(table));
    Path list = list(table);
    assertThat(list).exists();
    String file = cluster.fileOf(region(table));

    cluster.admin.snapshot("of-source", table);
    disabledAndForgotten(table, file);
    TableName clone = TableName.valueOf("clone");
    cluster.admin.cloneSnapshot("of-source", clone);
    awaitOpenAndWarm(clone);
    assertThat(missesOfHotRows(clone)).as("misses of a clone, by the list of its source").isZero();
    drop(clone);

    cluster.admin.enableTable(table);
    awaitOpenAndWarm(table);
    // The halves would read files of their own.
    cluster.admin.compactionSwitch(false, List.of());
    byte[] parent = region(table).getRegionInfo().getRegionName();
    cluster.admin.splitRegionAsync(parent, LocalCluster.row(ROWS / 2)).get();
    await().until(() -> open(table).size() == 2);
    disabledAndForgotten(table, file);
    try (Stream<Path> all = Files.list(list.getParent().getParent())) {
      for (Path folder : all.filter(Files::isDirectory).toList()) {
        if (!folder.equals(list.getParent())) {
          deleteLists(folder);
        }
      }
    }
    cluster.admin.enableTable(table);
    await().until(() -> open(table).size() == 2);
    await().until(() -> figure("regionsToWarm") == 0);
    assertThat(missesOfHotRows(table)).as("misses of halves, by their parent's list").isZero();

    HbckChore chore = cluster.master().getHbckChore();
    // The master knows of an open region only from its server's next report.
    await()
        .until(() -> chore.runChore() && chore.getLastReport().getInconsistentRegions().isEmpty());
    assertThat(chore.getLastReport().getOrphanRegionsOnFS()).isEmpty();
    assertThat(hbck()).isEmpty();

    cluster.admin.compactionSwitch(true, List.of());
    cluster.admin.majorCompact(table);
    await().until(() -> open(table).stream().noneMatch(RegionWarmupTest::readsHalves));
    // Files that were compacted are moved to the archive minutes later, or by a close.
    cluster.admin.disableTable(table);
    cluster.admin.enableTable(table);
    await().until(() -> open(table).size() == 2);
    await()
        .until(
            () -> {
              cluster.admin.runCatalogJanitor();
              return Files.notExists(list.getParent());
            });
    missesOfHotRows(table);
    cluster.admin.disableTable(table);
    cluster.admin.enableTable(table);
    await()
        .until(
            () -> {
              List<HRegion> halves = open(table);
              return halves.size() == 2
                  && halves.stream().map(RegionWarmupTest::list).allMatch(Files::exists);
            });
    List<Path> lists = open(table).stream().map(RegionWarmupTest::list).toList();
    cluster.admin.deleteSnapshot("of-source");
    boolean unused = cluster.admin.runCleanerChore();
    assertThat(lists).allSatisfy(each -> assertThat(each).exists());
    drop(table);
    assertThat(lists).allSatisfy(each -> assertThat(each.getParent()).doesNotExist());
  }

  private static void deleteLists(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith(HotListFile.NAME)) {
          Files.delete(file);
        }
      }
    }
  }

  private static boolean readsHalves(HRegion region) {
    return region.getStores().stream()
        .flatMap(store -> store.getStorefiles().stream())
        .anyMatch(HStoreFile::isReference);
  }

  /** What the tool of HBase 1 finds, which only reports now. */
  @SuppressWarnings("deprecation")
  private static List<?> hbck() throws Exception {
    try (var hbck =
        new org.apache.hadoop.hbase.util.HBaseFsck(cluster.master().getConfiguration())) {
      hbck.connect();
      hbck.setTimeLag(0);
      hbck.onlineHbck();
      return hbck.getErrors().getErrorList();
    }
  }

  private static List<HRegion> open(TableName table) {
    return Stream.of(0, 1).flatMap(server -> cluster.regionsOf(server, table).stream()).toList();
  }

  private static void awaitOpenAndWarm(TableName table) {
    await().until(() -> open(table).size() == 1);
    awaitOpenAndWarm(table, home(table));
  }

  private static void drop(TableName table) throws IOException {
    cluster.admin.disableTable(table);
    cluster.admin.deleteTable(table);
  }

  private static void disabledAndForgotten(TableName table, String file) throws IOException {
    cluster.admin.disableTable(table);
    await().until(() -> open(table).isEmpty());
    forget(file);
  }

  private static void forget(String file) {
    for (int server = 0; server < 2; server++) {
      cluster.cache(server).evictBlocksByHfileName(file);
      assertThat(cluster.cachedBytes(server)).doesNotContainKey(file);
    }
  }

  private static Path lastList;

  /** Closes the region, forgets its blocks, and returns its list. */
  private static byte[] closedAndRead(TableName table) throws IOException {
    closed(table);
    return Files.readAllBytes(lastList);
  }

  private static void closed(TableName table) throws IOException {
    HRegion region = region(table);
    String file = cluster.fileOf(region);
    cluster.admin.unassign(region.getRegionInfo().getRegionName());
    await().until(() -> open(table).isEmpty());
    lastList = list(region);
    forget(file);
  }

  private static void openWith(TableName table, byte[] list) throws IOException {
    Files.write(lastList, list);
    assign(table);
    awaitOpenAndWarm(table);
  }

  private static void assign(TableName table) throws IOException {
    RegionInfo region = cluster.admin.getRegions(table).get(0);
    cluster.admin.assign(region.getRegionName());
  }
}
