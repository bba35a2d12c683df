// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TestTiers;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.OnlineRegion;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import dev.terrace.hbase.files.Owner;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Hot lists where threads, the store, or the right to write are missing. */
@Tag("hadoop")
class HotListWriterTest {

  private static final String SERVER = "rs1.example.org,16020,1764400000000";
  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final RegionInfo INFO =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  @TempDir Path folder;
  @RegisterExtension final TestTiers opened = new TestTiers();
  @RegisterExtension final LogLines log = new LogLines(HotListWriter.class);

  private final Configuration conf = HBaseConfiguration.create();
  private final AtomicLong nanos = new AtomicLong(1);
  private final LongAdder calls = new LongAdder();
  private Executor threads = Runnable::run;
  private Store store;
  private HRegion region;
  private TieredCache<Cacheable> tiers;
  private HotListWriter writer;

  /** A file system that fails as told. */
  private static final class Store extends FilterFileSystem {

    private IOException failure;
    private IOException deleteFailure;
    private int creates;
    private int lists;
    private int deletes;

    Store(FileSystem files) {
      super(files);
    }

    @Override
    public FSDataOutputStream createNonRecursive(
        org.apache.hadoop.fs.Path file,
        FsPermission permission,
        EnumSet<CreateFlag> flags,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      creates++;
      if (failure != null) {
        throw failure;
      }
      return super.createNonRecursive(
          file, permission, flags, bufferSize, replication, blockSize, progress);
    }

    @Override
    public FileStatus[] listStatus(org.apache.hadoop.fs.Path folder) throws IOException {
      lists++;
      return super.listStatus(folder);
    }

    @Override
    public boolean delete(org.apache.hadoop.fs.Path file, boolean recursive) throws IOException {
      deletes++;
      if (deleteFailure != null) {
        throw deleteFailure;
      }
      return super.delete(file, recursive);
    }
  }

  @BeforeEach
  void open() throws IOException {
    store = new Store(FileSystem.getLocal(conf));
    org.apache.hadoop.fs.Path table = new org.apache.hadoop.fs.Path(folder.toUri());
    region =
        HRegion.newHRegion(
            table,
            null,
            store,
            conf,
            INFO,
            TableDescriptorBuilder.newBuilder(INFO.getTable())
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build(),
            null);
    assertThat(store.mkdirs(region.getRegionFileSystem().getRegionDir())).isTrue();
    tiers = opened.open("hbase.terrace.dram.size", "8m");
    Owner owner = new Owner(INFO.getEncodedName(), "default:t", "f");
    OnlineRegion open =
        new OnlineRegion(
            INFO.getEncodedName(), true, List.of(new OpenStoreFile(FILE, owner, Stage.OPEN, null)));
    FileCatalog known = new FileCatalog(FILES, () -> Stream.of(open), nanos::get);
    known.learnOpenFiles();
    writer =
        new HotListWriter(
            tiers, known, () -> SERVER, task -> threads.execute(task), calls, nanos::get);
    put(0, 10);
    writeChanged();
  }

  private void put(int from, int to) {
    BlockTraits traits = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
    for (int number = from; number < to; number++) {
      HFileBlock block = TestBlocks.data(FILE, number * 5_000L, 4_096);
      assertThat(tiers.put(file(FILE), number * 5_000L, block, traits))
          .isEqualTo(PutOutcome.STORED);
      block.release();
    }
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private void writeChanged() {
    writer.writeChanged(List.of(region));
  }

  private Optional<HotList> list() throws IOException {
    return HotListFile.read(
        store,
        region.getRegionFileSystem().getRegionDir(),
        HotListFile.prefix(INFO),
        new LongAdder());
  }

  private long figure(String name) {
    Map<String, Long> figures = new LinkedHashMap<>();
    writer.addTo(figures);
    return figures.get(name);
  }

  private static void noThread(Runnable task) {
    throw new OutOfMemoryError("unable to create native thread");
  }

  @Test
  void regionsCloseWhileNoThreadCanBeStarted() throws IOException {
    threads = HotListWriterTest::noThread;
    int closes = 3;
    for (int i = 0; i < closes; i++) {
      writer.closed(region);
    }
    assertThat(figure("listsNotWritten")).isEqualTo(closes);

    threads = Runnable::run;
    writer.closed(region);
    assertThat(list().orElseThrow().blocks()).isEqualTo(10);
  }

  @Test
  void theCacheEndsWhileNoThreadCanBeStarted() throws IOException {
    threads = HotListWriterTest::noThread;
    writer.end(List.of(region), Duration.ofMinutes(1));
    assertThat(figure("listsNotWritten")).isEqualTo(1);

    threads = Runnable::run;
    writer.closed(region);
    assertThat(list()).isEmpty();
  }

  @Test
  void aListThatFailedIsTriedAgainThoughNothingHasChanged() throws IOException {
    store.failure = new IOException("No space left on device");
    pass(HotListWriter.EVERY.multipliedBy(2));
    writeChanged();
    assertThat(figure("listsNotWritten")).isEqualTo(1);

    store.failure = null;
    pass(HotListWriter.EVERY.multipliedBy(2));
    writeChanged();
    assertThat(list().orElseThrow().blocks()).isEqualTo(10);
  }

  @Test
  void anOpenRegionCostsTwoCallsOfTheStoreAnHourAtMostAndAnIdleOneNone() throws IOException {
    pass(HotListWriter.FIRST_AFTER.multipliedBy(2));
    writeChanged();
    assertThat(List.of(store.creates, store.lists, store.deletes)).containsExactly(1, 1, 0);

    for (int minute = 0; minute < 24 * 60; minute++) {
      pass(Duration.ofMinutes(1));
      writeChanged();
    }
    assertThat(calls.sum()).as("calls, a day after the last block came").isEqualTo(2);

    int hours = 24;
    for (int hour = 0; hour < hours; hour++) {
      put(10 + hour * 5, 15 + hour * 5);
      for (int minute = 0; minute < 60; minute++) {
        pass(Duration.ofMinutes(1));
        writeChanged();
      }
    }
    assertThat(store.creates).isBetween(1 + hours / 4, hours + 1);
    assertThat(List.of(store.lists, store.deletes)).containsExactly(1, store.creates - 1);
    assertThat(calls.sum()).isEqualTo(store.creates + store.lists + store.deletes);
    assertThat(lists()).hasSize(1);
  }

  @Test
  void aListWhosePredecessorCannotBeDeletedCountsAsWritten() throws IOException {
    writer.closed(region);
    store.deleteFailure = new IOException("Connection reset");
    writer.closed(region);
    assertThat(figure("listsWritten")).isEqualTo(2);
    assertThat(figure("listsNotWritten")).isZero();
    assertThat(lists()).hasSize(2);
    assertThat(log.lines()).singleElement().asString().contains(INFO.getEncodedName());

    store.deleteFailure = null;
    writer.closed(region);
    assertThat(lists()).hasSize(1);
  }

  @Test
  void aStoreThatDeniesDeletesGetsAListNowAndThen() throws IOException {
    store.deleteFailure = new AccessControlException("Permission denied");
    for (int i = 0; i < 4; i++) {
      writer.closed(region);
    }
    assertThat(lists()).hasSize(2);
  }

  @Test
  void aListWithoutBlocksDoesNotCountAsWritten() throws IOException {
    tiers.evictFile(file(FILE));
    pass(HotListWriter.EVERY.multipliedBy(2));
    writeChanged();
    assertThat(list()).isEmpty();

    put(0, 10);
    pass(HotListWriter.EVERY.multipliedBy(2));
    writeChanged();
    assertThat(list().orElseThrow().blocks()).isEqualTo(10);
  }

  @Test
  void aStoreThatDeniesAListIsAskedAgainAfterSomeMinutes() throws IOException {
    store.failure = new AccessControlException("Permission denied");
    for (int i = 0; i < 3; i++) {
      writer.closed(region);
    }
    pass(HotListWriter.EVERY.multipliedBy(2));
    writeChanged();
    assertThat(store.creates).isEqualTo(1);
    assertThat(log.lines()).hasSize(1);

    store.failure = null;
    pass(HotListWriter.DENIED_FOR);
    writer.closed(region);
    assertThat(list()).isPresent();
  }

  @Test
  void aReadOnlyClusterGetsNoList() throws IOException {
    conf.setBoolean(HotListWriter.IS_READ_ONLY, true);
    pass(HotListWriter.EVERY.multipliedBy(2));
    writeChanged();
    writer.closed(region);
    writer.end(List.of(region), Duration.ofMinutes(1));

    assertThat(store.creates).isZero();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void anOlderListNeverWins() throws IOException {
    HotListFile.write(region, 20, list(2).encoded(), calls);
    org.apache.hadoop.fs.Path late = HotListFile.write(region, 10, list(1).encoded(), calls);
    HotListFile.deleteOlder(region, late, null, calls);

    assertThat(list().orElseThrow().blocks()).isEqualTo(2);
    assertThat(lists()).hasSize(1);
  }

  @Test
  void aListThatWasCutLeavesTheOneBeforeIt() throws IOException {
    HotListFile.write(region, 10, list(2).encoded(), calls);
    String newer = lists().get(0).replaceFirst("0a$", "0b");
    try (FSDataOutputStream out =
        store.create(
            new org.apache.hadoop.fs.Path(region.getRegionFileSystem().getRegionDir(), newer))) {
      out.write(list(3).encoded(), 0, 30);
    }
    assertThat(lists()).hasSize(2);
    assertThat(list().orElseThrow().blocks()).isEqualTo(2);
  }

  private static HotList list(int blocks) {
    List<HotList.Block> all = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      all.add(new HotList.Block(i * 100L, 100, HotList.Block.mark(0, false, 1)));
    }
    return new HotList(1, "", List.of(HotList.OfFile.of(FILE, all)));
  }

  private List<String> lists() throws IOException {
    return Stream.of(store.listStatus(region.getRegionFileSystem().getRegionDir()))
        .map(file -> file.getPath().getName())
        .filter(name -> name.startsWith(HotListFile.prefix(INFO)))
        .toList();
  }
}
