// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static dev.terrace.hbase.LocalCluster.FAMILY;
import static dev.terrace.hbase.LocalCluster.row;
import static dev.terrace.hbase.blocks.CellNotes.Place.HEAP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.LocalCluster;
import dev.terrace.hbase.SharedCluster;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.status.TerraceMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.MetaTableMetrics;
import org.apache.hadoop.hbase.coprocessor.TrustedCellNotes;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.security.visibility.DefaultVisibilityLabelServiceImpl;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.security.visibility.VisibilityLabelServiceManager;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In a region server only calls that keep no cell read the cache's memory. */
@Tag("hadoop")
@Tag("cluster")
@ExtendWith(SharedCluster.class)
@TestInstance(Lifecycle.PER_CLASS)
class CopyFreeReadsTest {

  private static final int ROWS = 500;

  /** Fewer data blocks than all rows are in. */
  private static final int MANY_BLOCKS = 15;

  private LocalCluster cluster;
  private TableName plain;
  private TableName watched;
  private TableName watchedBelowHBase;

  private interface Reads {
    void run() throws Exception;
  }

  @BeforeAll
  void start(LocalCluster shared) throws Exception {
    cluster = shared;
    plain = cluster.create("plain", MetaTableMetrics.class.getName());
    watched = cluster.create("watched", CellNotes.class.getName());
    watchedBelowHBase = cluster.create("below", TrustedCellNotes.class.getName());
    for (TableName table : List.of(plain, watched, watchedBelowHBase)) {
      cluster.load(table, 0, ROWS);
      cluster.missesOfScan(table, ROWS);
      assertThat(cluster.missesOfScan(table, ROWS)).as("all is cached").isZero();
    }
  }

  @BeforeEach
  void forget() {
    CellNotes.take();
  }

  private long copiesOf(Reads reads) throws Exception {
    long before = cluster.cache().heapHits();
    reads.run();
    return cluster.cache().heapHits() - before;
  }

  /** HBase reads its own tables now and then: the reads are repeated until it does not. */
  private void assertInTheCachesMemory(Reads reads) {
    await().until(() -> copiesOf(reads) == 0);
  }

  private void get(TableName name, Get get) throws Exception {
    try (Table table = cluster.open(name)) {
      assertThat(table.get(get).isEmpty()).isFalse();
    }
  }

  private void get(TableName name) throws Exception {
    get(name, new Get(row(1)));
  }

  private void getMany(TableName name) throws Exception {
    try (Table table = cluster.open(name)) {
      table.get(List.of(new Get(row(1)), new Get(row(2))));
    }
  }

  private void scan(TableName name, Scan scan) throws Exception {
    try (Table table = cluster.open(name);
        ResultScanner rows = table.getScanner(scan.setReadType(Scan.ReadType.PREAD))) {
      for (Result row : rows) {
        assertThat(row.isEmpty()).isFalse();
      }
    }
  }

  private void append(TableName name, int row) throws Exception {
    try (Table table = cluster.open(name)) {
      table.append(new Append(row(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes("more")));
    }
  }

  @Test
  void getsOfClientsReadTheCachesMemory() {
    assertInTheCachesMemory(() -> get(plain));
    assertInTheCachesMemory(() -> getMany(plain));
  }

  @Test
  void getsWithAFilterReadTheHeap() throws Exception {
    Get filtered = new Get(row(1)).setFilter(new PrefixFilter(row(1)));
    for (int i = 0; i < MANY_BLOCKS; i++) {
      assertThat(copiesOf(() -> get(plain, filtered))).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {ROWS / 2, 2 * ROWS})
  void scansOfClientsReadTheHeap(int rowsOfACall) throws Exception {
    Scan scan = new Scan().setCaching(rowsOfACall);
    assertThat(copiesOf(() -> scan(plain, scan))).isGreaterThan(MANY_BLOCKS);
  }

  /** As clients of HBase 1 ask for a few rows. A slow server ends the call early. */
  @Test
  void aScanThatEndsWithItsCallReadsTheCachesMemory() throws Exception {
    assertInTheCachesMemory(() -> assertThat(rowsOfOneCall(new Scan())).isPositive());
    for (int i = 0; i < MANY_BLOCKS; i++) {
      Scan reversed = new Scan().setReversed(true);
      assertThat(copiesOf(() -> rowsOfOneCall(reversed))).isPositive();
      Scan filtered = new Scan().setFilter(new PrefixFilter(new byte[0]));
      assertThat(copiesOf(() -> rowsOfOneCall(filtered))).isPositive();
    }
  }

  private int rowsOfOneCall(Scan scan) throws Exception {
    byte[] region = cluster.regions(plain).get(0).getRegionInfo().getRegionName();
    try (ClusterConnection client =
        (ClusterConnection) ConnectionFactory.createConnection(cluster.configuration())) {
      ScanResponse response =
          client
              .getClient(cluster.server().getServerName())
              .scan(
                  new HBaseRpcControllerImpl(),
                  RequestConverter.buildScanRequest(region, scan, 2 * ROWS, true));
      return response.getCellsPerResultCount();
    }
  }

  @Test
  void readsForWritesAreOnTheHeap() throws Exception {
    append(watched, 10);
    assertThat(CellNotes.take()).containsOnly(HEAP);
  }

  @Test
  void readsWithoutACallAreOnTheHeap() throws Exception {
    HRegion region = cluster.regions(plain).get(0);
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(new Scan().withStartRow(row(20)))) {
      scanner.next(cells);
    }
    assertThat(cells).extracting(CellNotes::placeOf).containsOnly(HEAP);
    assertThat(CellUtil.cloneRow(cells.get(0))).isEqualTo(row(20));
  }

  /** Such coprocessors keep cells of scanners that they have closed. */
  @Test
  void allReadsOfATableWithForeignCoprocessorsAreOnTheHeap() throws Exception {
    for (TableName table : List.of(watched, watchedBelowHBase)) {
      get(table);
      assertThat(CellNotes.take()).as("a get").containsOnly(HEAP);
      getMany(table);
      assertThat(CellNotes.take()).as("gets in one call").containsOnly(HEAP);
      scan(table, new Scan().withStartRow(row(100)).setCaching(ROWS / 2));
      assertThat(CellNotes.take()).as("a scan").containsOnly(HEAP);
      append(table, 30);
      assertThat(CellNotes.take()).as("an append").containsOnly(HEAP);
    }
  }

  /** A thread serves one table after the other. */
  @Test
  void whatIsKnownOfACallEndsWithIt() throws Exception {
    for (int i = 0; i < 50; i++) {
      get(watched);
      assertThat(CellNotes.take()).containsOnly(HEAP);
      assertInTheCachesMemory(() -> get(plain));
    }
  }

  /** Whether the current call gets a block of a region from the cache's memory. */
  private boolean isInTheCachesMemory(HRegion region) {
    String file = region.getStores().get(0).getStorefiles().iterator().next().getPath().getName();
    for (CachedBlock block : cluster.cache()) {
      if (block.getFilename().equals(file) && block.getBlockType() == BlockType.DATA) {
        BlockCacheKey key = TestBlocks.key(file, block.getOffset());
        HFileBlock found = (HFileBlock) cluster.cache().getBlock(key, true, false, true);
        boolean isShared = found.isSharedMem();
        found.release();
        return isShared;
      }
    }
    throw new AssertionError("no block of " + file);
  }

  private static RegionAction getIn(HRegion region) throws IOException {
    return RegionAction.newBuilder()
        .setRegion(regionOf(region))
        .addAction(Action.newBuilder().setGet(ProtobufUtil.toGet(new Get(row(1)))))
        .build();
  }

  private static RegionSpecifier regionOf(HRegion region) {
    return RequestConverter.buildRegionSpecifier(
        RegionSpecifierType.REGION_NAME, region.getRegionInfo().getRegionName());
  }

  /** The regions of a batch are resolved one after the other. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anObserverThatComesDuringABatchSeesTheHeap(boolean byAlter) throws Exception {
    TableName table = cluster.create("batch" + byAlter, null, Bytes.toString(row(ROWS / 2)));
    cluster.load(table, 0, ROWS);
    cluster.missesOfScan(table, ROWS);
    List<HRegion> regions = cluster.regions(table);
    MultiRequest batch =
        MultiRequest.newBuilder()
            .addRegionAction(getIn(regions.get(0)))
            .addRegionAction(getIn(regions.get(1)))
            .build();
    inCall(
        batch,
        () -> {
          assertThat(isInTheCachesMemory(regions.get(0))).isTrue();
          assertThat(isInTheCachesMemory(regions.get(1))).isTrue();
          if (byAlter) {
            cluster.admin.modifyTable(
                TableDescriptorBuilder.newBuilder(cluster.admin.getDescriptor(table))
                    .setCoprocessor(CellNotes.class.getName())
                    .build());
          } else {
            Configuration updated = new Configuration(cluster.server().getConfiguration());
            updated.set(
                CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY, CellNotes.class.getName());
            regions.get(1).onConfigurationChange(updated);
          }
          assertThat(isInTheCachesMemory(cluster.regions(table).get(1))).isFalse();
        });
  }

  /** A label service as {@code hbase.regionserver.visibility.label.service.class} may name one. */
  private static final class ForeignLabels extends DefaultVisibilityLabelServiceImpl {}

  /** HBase's own observer hands it each cell. */
  @Test
  void aForeignLabelServiceSeesTheHeap() throws Exception {
    TableName table = cluster.create("labels", VisibilityController.class.getName());
    cluster.load(table, 0, ROWS);
    cluster.missesOfScan(table, ROWS);
    HRegion region = cluster.regions(table).get(0);
    GetRequest get =
        GetRequest.newBuilder()
            .setRegion(regionOf(region))
            .setGet(ProtobufUtil.toGet(new Get(row(1))))
            .build();
    inCall(get, () -> assertThat(isInTheCachesMemory(region)).isTrue());
    VisibilityLabelServiceManager manager = VisibilityLabelServiceManager.getInstance();
    Field service = VisibilityLabelServiceManager.class.getDeclaredField("visibilityLabelService");
    service.setAccessible(true);
    Object own = service.get(manager);
    service.set(manager, new ForeignLabels());
    try {
      inCall(get.toBuilder().build(), () -> assertThat(isInTheCachesMemory(region)).isFalse());
    } finally {
      service.set(manager, own);
    }
  }

  /** The beans of the caches in this process. */
  private static List<TerraceMXBean> beans() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    return server.queryNames(new ObjectName("dev.terrace:type=BlockCache,*"), null).stream()
        .map(name -> JMX.newMXBeanProxy(server, name, TerraceMXBean.class))
        .toList();
  }

  private static double copiesFor(String reason) throws Exception {
    String figure = "copies_" + reason + "_total";
    return beans().stream()
        .mapToDouble(bean -> bean.getMetrics().get("heap").getOrDefault(figure, 0.0))
        .sum();
  }

  private void assertCopied(String reason, Reads reads) throws Exception {
    double before = copiesFor(reason);
    reads.run();
    assertThat(copiesFor(reason)).as(reason).isGreaterThan(before);
  }

  @Test
  void copiesAreCountedByTheirReason() throws Exception {
    assertCopied("observer_cell_notes", () -> get(watched));
    assertCopied("observer_trusted_cell_notes", () -> get(watchedBelowHBase));
    Get filtered = new Get(row(1)).setFilter(new PrefixFilter(row(1)));
    assertCopied("filter", () -> get(plain, filtered));
    assertCopied("scanner", () -> scan(plain, new Scan()));
    assertCopied("other_call", () -> append(plain, 10));
    HRegion region = cluster.regions(plain).get(0);
    assertCopied("no_call", () -> assertThat(isInTheCachesMemory(region)).isFalse());
    assertThat(cluster.cache().heapHits()).isPositive();
    assertThat(beans())
        .anySatisfy(
            bean -> assertThat(bean.whyNotCached("watched")).contains(CellNotes.class.getName()));
  }

  /** Has this thread serve a call meanwhile. */
  private static void inCall(Message request, Reads reads) throws Exception {
    RpcServer.setCurrentCall(
        (RpcCall)
            Proxy.newProxyInstance(
                RpcCall.class.getClassLoader(),
                new Class<?>[] {RpcCall.class},
                (proxy, method, args) -> method.getName().equals("getParam") ? request : null));
    try {
      reads.run();
    } finally {
      RpcServer.unsetCurrentCall();
    }
  }

  @Test
  void onlyClassesOfHBasesServerAreItsOwn() {
    assertThat(CopyFreeReads.isHBases(HRegion.class)).isTrue();
    assertThat(CopyFreeReads.isHBases(VisibilityController.class)).isTrue();
    assertThat(CopyFreeReads.isHBases(TrustedCellNotes.class)).as("by its package alone").isFalse();
    assertThat(CopyFreeReads.isHBases(Threads.class)).as("of another jar").isFalse();
    assertThat(CopyFreeReads.isHBases(String.class)).as("of no jar").isFalse();
  }
}
