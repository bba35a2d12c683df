// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import static dev.terrace.hbase.reads.TieredServers.names;
import static org.assertj.core.api.Assertions.assertThat;

import acme.SlowFilter;
import dev.terrace.api.Poison;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scans and Gets at random: a server with Terrace must answer as one with HBase's own cache, whose
 * tables get the same changes, flushes and compactions at the same points. A flush or a compaction
 * may also run beside the reads of both.
 *
 * <p>{@code -Dterrace.scans.seconds=N} reads for N seconds, {@code -Dterrace.scans.seed=S} repeats
 * tables, changes and reads. The seed also says which tiers Terrace has, and whether memory is
 * overwritten at its release and cells have labels of visibility.
 */
@Tag("hadoop")
@Tag("cluster")
@TestInstance(Lifecycle.PER_CLASS)
class ScanFuzzTest {

  private static final long SEED =
      Long.getLong("terrace.scans.seed", new SplittableRandom().nextInt(1_000_000));
  private static final long SECONDS = Long.getLong("terrace.scans.seconds", 60);
  private static final boolean IS_POISONED = SEED % 2 == 0;
  private static final boolean IS_LABELLED = SEED / 2 % 2 == 0;
  private static final Tiers TIERS =
      Tiers.values()[1 + (int) (SEED / 4 % (Tiers.values().length - 1))];

  private static final String FAILURE = "failure: ";
  private static final int PHASES = 4;
  private static final int CHANGES = 120;
  private static final int READS = 15;
  private static final int MAX_GETS = 12;
  private static final int SLOW_EVERY = 100;
  private static final int OTHERS_EVERY = 8;

  // Before the cache asks, once in a JVM; the instance of this class is made before all else.
  static {
    System.setProperty(Poison.PROPERTY, Boolean.toString(IS_POISONED));
    // As in production: over the fake keys of ROWCOL filters HBase's own assertions fail, with any
    // cache.
    ClassLoader.getSystemClassLoader().setPackageAssertionStatus("org.apache.hadoop.hbase", false);
  }

  private final ExecutorService background =
      Executors.newSingleThreadExecutor(
          // As compactions of HBase are called.
          work -> new Thread(work, "regionserver/local-shortCompactions-0"));
  private final Map<Tiers, TableName> twins = new HashMap<>();
  private TieredServers servers;
  private Connection impatient;
  private long scans;
  private long gets;
  private long cells;
  private long failures;

  @BeforeAll
  void start(@TempDir File folder) throws Exception {
    System.out.printf(
        "-Dterrace.scans.seed=%d: %s poisoned=%b labelled=%b%n",
        SEED, TIERS, IS_POISONED, IS_LABELLED);
    Map<String, String> settings = new HashMap<>();
    // Calls look at the time after each few cells.
    settings.put("hbase.cells.scanned.per.heartbeat.check", "5");
    if (IS_LABELLED) {
      settings.putAll(TieredServers.labelSettings());
    }
    servers = new TieredServers(folder, List.of(Tiers.LRU, TIERS), settings);
    if (IS_LABELLED) {
      servers.addLabels(RandomTable.LABELS);
    }
    Configuration conf = new Configuration(servers.cluster.server().getConfiguration());
    // A server ends a call of a scan after half of it.
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 2_000);
    impatient = ConnectionFactory.createConnection(conf);
  }

  @AfterAll
  void stop() throws IOException {
    background.shutdownNow();
    if (impatient != null) {
      impatient.close();
    }
    if (servers != null) {
      servers.close();
    }
  }

  @Test
  void answersAsHBasesOwnCache() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    int table = 0;
    do {
      readTable(table++, new Random(SEED * 1_000_003L + table));
    } while (System.nanoTime() < end);
    System.out.printf(
        "tables=%d scans=%d gets=%d cells=%d failures=%d%n", table, scans, gets, cells, failures);
    assertThat(cells).as("cells that were read, and right").isPositive();
  }

  private void readTable(int number, Random random) throws Exception {
    RandomTable table = new RandomTable(random, IS_LABELLED);
    TableDescriptor description = table.description();
    RandomReads reads = new RandomReads(random, IS_LABELLED, table.hasMobs());
    for (Tiers each : List.of(Tiers.LRU, TIERS)) {
      // Names of one length: cells of MOBs have them, and what HBase counts as a row of a limit
      // with
      // batches depends on where blocks end.
      TableName name = TableName.valueOf(each.name().charAt(0) + "_" + number);
      twins.put(each, servers.create(TableDescriptorBuilder.copy(name, description)));
      servers.move(name, each);
    }
    for (int phase = 0; phase < PHASES; phase++) {
      change(table);
      // What HBase makes of the fake keys of ROWCOL filters depends on the files that there are.
      boolean isMeanwhile = random.nextInt(3) == 0 && !table.hasFakeKeys() && !table.hasDeletes();
      boolean isFlushed = random.nextInt(4) > 0;
      int compaction = random.nextInt(4);
      Future<Void> work = background.submit(() -> work(isFlushed, compaction));
      if (!isMeanwhile) {
        work.get();
      }
      for (int read = 0; read < READS; read++) {
        String where = String.format("table %d phase %d read %d", number, phase, read);
        if (random.nextInt(3) == 0) {
          compareGets(reads, random, isMeanwhile, where);
        } else {
          compareScan(reads, random, isMeanwhile, where);
        }
      }
      work.get();
    }
    for (TableName name : twins.values()) {
      servers.cluster.admin.disableTable(name);
      servers.cluster.admin.deleteTable(name);
    }
  }

  private void change(RandomTable table) throws Exception {
    List<Mutation> changes = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      changes.add(table.mutation());
    }
    for (TableName name : twins.values()) {
      try (Table writes = servers.cluster.open(name)) {
        List<Row> copies = new ArrayList<>(changes);
        writes.batch(copies, new Object[copies.size()]);
      }
    }
  }

  private Void work(boolean isFlushed, int compaction) throws IOException {
    for (Map.Entry<Tiers, TableName> twin : twins.entrySet()) {
      HRegion region = servers.region(twin.getValue(), twin.getKey());
      if (isFlushed) {
        region.flush(true);
      }
      if (compaction < 2) {
        region.compact(compaction == 1);
        for (HStore store : region.getStores()) {
          store.closeAndArchiveCompactedFiles();
        }
      }
    }
    return null;
  }

  private void compareScan(RandomReads reads, Random random, boolean isMeanwhile, String where)
      throws IOException {
    Scan scan = reads.scan(isMeanwhile);
    if (isMeanwhile && scan.getBatch() > 0) {
      // Where HBase ends a row's batches, and so what it counts, depends on the files that there
      // are.
      scan.setLimit(-1);
    }
    boolean isSlow = !isMeanwhile && random.nextInt(SLOW_EVERY) == 0;
    if (isSlow) {
      scan.setFilter(new SlowFilter());
    }
    scans++;
    compare(answer(Tiers.LRU, scan, isSlow), answer(TIERS, scan, isSlow), where + ": " + scan);
  }

  private List<String> answer(Tiers of, Scan scan, boolean isSlow) throws IOException {
    Connection connection = isSlow ? impatient : servers.cluster.admin.getConnection();
    List<String> seen = new ArrayList<>();
    try (Table table = connection.getTable(twins.get(of));
        ResultScanner results = table.getScanner(new Scan(scan))) {
      for (Result result = results.next(); result != null; result = results.next()) {
        seen.addAll(names(result));
        if (of == TIERS && ThreadLocalRandom.current().nextInt(OTHERS_EVERY) == 0) {
          servers.readOthers(of);
        }
      }
    } catch (IOException | AssertionError e) {
      seen.add(failure(e));
    }
    return seen;
  }

  private void compareGets(RandomReads reads, Random random, boolean isMeanwhile, String where)
      throws IOException {
    List<Get> some = new ArrayList<>();
    for (int i = 1 + random.nextInt(MAX_GETS); i > 0; i--) {
      some.add(reads.get(isMeanwhile));
    }
    gets += some.size();
    compare(answer(Tiers.LRU, some), answer(TIERS, some), where + ": " + some);
  }

  private List<String> answer(Tiers of, List<Get> some) throws IOException {
    List<String> seen = new ArrayList<>();
    try (Table table = servers.cluster.open(twins.get(of))) {
      Result[] results = some.size() == 1 ? new Result[] {table.get(some.get(0))} : table.get(some);
      for (Result result : results) {
        seen.add("row");
        seen.addAll(names(result));
      }
    } catch (IOException | AssertionError e) {
      seen.add(failure(e));
    }
    return seen;
  }

  /** HBase refuses some reads, or fails in them, also in its client: then Terrace must, too. */
  private String failure(Throwable thrown) {
    Throwable cause =
        thrown instanceof RetriesExhaustedWithDetailsException several
            ? several.getCause(0)
            : thrown instanceof RetriesExhaustedException ? thrown.getCause() : thrown;
    failures++;
    return FAILURE + cause.getClass().getName();
  }

  private void compare(List<String> expected, List<String> seen, String what) {
    if (expected.stream().anyMatch(each -> each.startsWith(FAILURE))) {
      System.out.println("HBase fails: " + what);
    }
    try {
      TieredServers.assertRight(seen, expected);
    } catch (AssertionError e) {
      throw new AssertionError("-Dterrace.scans.seed=" + SEED + " " + what, e);
    }
    cells += seen.size();
  }
}
