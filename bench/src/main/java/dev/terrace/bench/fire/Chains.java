// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.load.CheckedTable.BulkLoad;
import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter.UniformSplit;

/**
 * Linked lists over the whole key space, after HBase's IntegrationTestBigLinkedList: each node
 * tells the key of the one before it, and the first that of the last. Who walks a chain that was
 * written comes back after as many nodes as it has; a scan finds each node of it, and no others.
 */
final class Chains {

  static final TableName TABLE = TableName.valueOf("fire-chains");

  private static final int MOST_CHAINS = 160;
  private static final int REGIONS = 4;
  private static final int NODES_A_CALL = 100;
  private static final int BLOCK_BYTES = 16 << 10;

  private final Connection connection;
  private final ChainNodes nodes;
  private final RowChecks checks;

  /** The chains that are there as a whole. */
  private final Set<Integer> complete = ConcurrentHashMap.newKeySet();

  /** The next chain to be loaded as a file. */
  private final AtomicInteger nextBulk = new AtomicInteger(MOST_CHAINS);

  Chains(Connection connection, long seed, RowChecks checks) {
    this.connection = connection;
    this.nodes = new ChainNodes(seed);
    this.checks = checks;
  }

  void create(Admin admin) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(ChainNodes.FAMILY)
                    .setBlocksize(BLOCK_BYTES)
                    .build())
            .build(),
        new UniformSplit().split(REGIONS));
    write(0);
  }

  /** Writes chain after chain until the fire is over; after the last one the first ones anew. */
  void writeUntil(CountDownLatch over) throws IOException {
    for (int chain = 1; over.getCount() > 0; chain = (chain + 1) % MOST_CHAINS) {
      write(chain);
    }
  }

  private void write(int chain) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int first = 0; first < ChainNodes.LENGTH; first += NODES_A_CALL) {
        List<Put> puts = new ArrayList<>();
        for (int node = first; node < first + NODES_A_CALL; node++) {
          puts.add(nodes.put(chain, node));
        }
        table.put(puts);
      }
      complete.add(chain);
    } catch (IOException e) {
      checks.failed(e);
    }
  }

  /** Walks random chains until the fire is over; returns how many. */
  long walkUntil(CountDownLatch over, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long walks = 0;
    try (Table table = connection.getTable(TABLE)) {
      while (over.getCount() > 0) {
        List<Integer> all = complete();
        walk(table, all.get(random.nextInt(all.size())));
        walks++;
      }
    }
    return walks;
  }

  /** Follows the links from the last node until it is there again. */
  private void walk(Table table, int chain) throws IOException {
    byte[] key = nodes.key(chain, ChainNodes.LENGTH - 1);
    try {
      for (int node = ChainNodes.LENGTH - 1; node >= 0; node--) {
        Result found = table.get(new Get(key));
        Optional<String> fault = nodes.fault(found, chain, node);
        checks.row(fault);
        if (fault.isPresent()) {
          return;
        }
        key = ChainNodes.previous(found);
      }
    } catch (IOException e) {
      checks.failed(e);
    }
  }

  /**
   * Scans a table that is this one, or a copy; each node of these chains must be there once, and
   * none that is foreign.
   */
  void scan(TableName name, List<Integer> chains) throws IOException {
    Map<Integer, Integer> found = new HashMap<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(NODES_A_CALL))) {
      for (Result row : scanner) {
        ChainNodes.Place place = ChainNodes.place(row);
        checks.row(nodes.fault(row, place.chain(), place.node()));
        found.merge(place.chain(), 1, Integer::sum);
      }
    } catch (IOException e) {
      checks.failed(e);
    }
    for (int chain : chains) {
      int there = found.getOrDefault(chain, 0);
      if (there != ChainNodes.LENGTH) {
        checks.fault(name + " has " + there + " nodes of chain " + chain);
      }
    }
  }

  /** Loads one more chain as a file; returns which. */
  String bulkLoad(Configuration client) throws IOException {
    int chain = nextBulk.getAndIncrement();
    Path root = new Path(client.get(HConstants.HBASE_DIR)).getParent();
    Path folder = new Path(root, "fire-bulk-" + chain);
    Path family = new Path(folder, Bytes.toString(ChainNodes.FAMILY));
    Iterator<Put> rows =
        IntStream.range(0, ChainNodes.LENGTH)
            .mapToObj(node -> nodes.put(chain, node))
            .sorted(Comparator.comparing(Row::getRow, Bytes.BYTES_COMPARATOR))
            .iterator();
    BulkLoad.write(client, new Path(family, "rows"), ChainNodes.FAMILY, rows);
    BulkLoad.load(client, TABLE, folder);
    folder.getFileSystem(client).delete(folder, true);
    complete.add(chain);
    return "chain " + chain;
  }

  /** Returns the chains that are there as a whole. */
  List<Integer> complete() {
    return List.copyOf(complete);
  }

  /**
   * The nodes of chains: their keys, and the one value that each must have. Stateless but its seed.
   */
  static final class ChainNodes {

    /** Nodes of a chain. */
    static final int LENGTH = 500;

    static final byte[] FAMILY = Bytes.toBytes("f");

    private static final byte[] COLUMN = Bytes.toBytes("n");
    private static final int FILL_BYTES = 180;
    private static final int VALUE_BYTES = Long.BYTES + 2 * Integer.BYTES + FILL_BYTES;

    private final long seed;

    ChainNodes(long seed) {
      this.seed = seed;
    }

    /** Where a node says that it belongs. */
    record Place(int chain, int node) {}

    /** Returns the key of a node. No two nodes have the same: each step can be undone. */
    byte[] key(int chain, int node) {
      long z = seed + ((long) chain << 32 | node) * 0x9E3779B97F4A7C15L;
      z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      return Bytes.toBytes(z ^ (z >>> 31));
    }

    Put put(int chain, int node) {
      // Always the same cell, also in a file, which must tell a time.
      return new Put(key(chain, node), 1L).addColumn(FAMILY, COLUMN, value(chain, node));
    }

    /** The key of the node before, the node's place, and bytes that follow from its key. */
    private byte[] value(int chain, int node) {
      byte[] key = key(chain, node);
      byte[] fill = new byte[FILL_BYTES];
      new SplittableRandom(Bytes.toLong(key)).nextBytes(fill);
      return ByteBuffer.allocate(VALUE_BYTES)
          .put(key(chain, Math.floorMod(node - 1, LENGTH)))
          .putInt(chain)
          .putInt(node)
          .put(fill)
          .array();
    }

    /** Returns what is wrong with a row that should be this node, or nothing. */
    Optional<String> fault(Result row, int chain, int node) {
      String expected = "node " + node + " of chain " + chain;
      byte[] key = key(chain, node);
      if (row.isEmpty()) {
        return Optional.of(expected + " is lost: no row " + Bytes.toStringBinary(key));
      }
      if (!Arrays.equals(row.getRow(), key)) {
        return Optional.of(expected + " is foreign: row " + Bytes.toStringBinary(row.getRow()));
      }
      byte[] value = row.getValue(FAMILY, COLUMN);
      int at = value == null ? 0 : Arrays.mismatch(value, value(chain, node));
      return at < 0 ? Optional.empty() : Optional.of(expected + " has a wrong byte at " + at);
    }

    /** Returns the key of the node before a right one. */
    static byte[] previous(Result node) {
      return Bytes.copy(node.getValue(FAMILY, COLUMN), 0, Long.BYTES);
    }

    /** Returns the place that a row tells; of a row without one, a place that no node has. */
    static Place place(Result row) {
      byte[] value = row.getValue(FAMILY, COLUMN);
      if (value == null || value.length != VALUE_BYTES) {
        return new Place(-1, -1);
      }
      return new Place(
          Bytes.toInt(value, Long.BYTES), Bytes.toInt(value, Long.BYTES + Integer.BYTES));
    }
  }
}
