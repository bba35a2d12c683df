// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.server.HBaseServer;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * A table of numbered rows with a value in each family. Its keys are YCSB's, {@code user} and the
 * hash of the number, or in the order of the numbers. Immutable.
 *
 * <p>Values are self-checking: a stamp of eight bytes, then bytes derived from row, family and
 * stamp. That finds a value of another row or family, and a mix of two writes; it does not find a
 * complete older value of the same family.
 *
 * @param rows number of loaded rows, 1 to 2^31 - 1
 * @param valueBytes bytes of a value, at least 8; the maximum where lengths vary
 * @param values the kind of these bytes
 * @param splits the first keys of all regions but the first
 */
public record CheckedTable(
    TableName name,
    LongFunction<byte[]> keys,
    List<byte[]> families,
    int valueBytes,
    Values values,
    long rows,
    List<byte[]> splits,
    long generation) {

  public static final String YCSB = "usertable";

  private static final int ROWS_PER_CALL = 500;
  public static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("0");

  /** The cell type of this method differs in HBase 3. */
  private static final Method APPEND =
      Arrays.stream(HFile.Writer.class.getMethods())
          .filter(each -> each.getName().equals("append") && each.getParameterCount() == 1)
          .findAny()
          .orElseThrow();

  /** A table with YCSB's keys and random values, to be loaded. */
  public CheckedTable(String name, long rows, int valueBytes, int regions) {
    this(name, rows, valueBytes, Values.RANDOM, regions, 1);
  }

  /** A table with YCSB's keys and 1 to 9 regions, to be loaded. */
  public CheckedTable(
      String name, long rows, int valueBytes, Values values, int regions, int families) {
    this(
        TableName.valueOf(name),
        Operations.keys(),
        families(families),
        valueBytes,
        values,
        rows,
        // A 63-bit hash nearly always begins with a digit from 1 to 9, all equally likely.
        splits(regions, region -> Bytes.toBytes("user" + (1 + 9 * region / regions))),
        0);
  }

  /** A table with its rows in the order of their numbers, spread evenly over its regions. */
  public static CheckedTable ordered(
      String name, long rows, int valueBytes, int regions, int families) {
    LongFunction<byte[]> keys = row -> Bytes.toBytes(String.format(Locale.ROOT, "row%010d", row));
    return new CheckedTable(
        TableName.valueOf(name),
        keys,
        families(families),
        valueBytes,
        Values.RANDOM,
        rows,
        splits(regions, region -> keys.apply(rows * region / regions)),
        0);
  }

  private static List<byte[]> families(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> number == 1 ? FAMILY : Bytes.toBytes("f" + number))
        .toList();
  }

  private static List<byte[]> splits(int regions, IntFunction<byte[]> key) {
    return IntStream.range(1, regions).mapToObj(key).toList();
  }

  /** The same table with new values in each row. */
  public CheckedTable nextGeneration() {
    return new CheckedTable(name, keys, families, valueBytes, values, rows, splits, generation + 1);
  }

  public byte[][] splitKeys() {
    return splits.toArray(byte[][]::new);
  }

  /** Where a region begins; for the one after the last, the end. No row is before the first. */
  private byte[] begin(int region) {
    return region == 0
        ? new byte[] {0}
        : region <= splits.size() ? splits.get(region - 1) : HConstants.EMPTY_END_ROW;
  }

  /** Writes its rows to files in a local folder, one for each region and family. */
  void writeFiles(java.nio.file.Path folder) throws IOException {
    Configuration local = HBaseConfiguration.create();
    for (int region = 0; region <= splits.size(); region++) {
      int number = region;
      LongStream inIt = LongStream.range(0, rows).filter(row -> regionOf(key(row)) == number);
      writeFiles(local, new Path(folder.toUri().toString()), "region" + region, inIt);
    }
  }

  /** Writes rows to a file of each family in a folder, for a bulk load. */
  public void writeFiles(Configuration client, Path folder, String file, LongStream some)
      throws IOException {
    long time = System.currentTimeMillis();
    List<Map.Entry<byte[], Long>> sorted =
        some.mapToObj(row -> Map.entry(key(row), stamp(row)))
            .sorted(Map.Entry.comparingByKey(Bytes.BYTES_COMPARATOR))
            .toList();
    for (byte[] family : families) {
      Path path = new Path(new Path(folder, Bytes.toString(family)), file);
      HFile.WriterFactory factory =
          HFile.getWriterFactory(client, new CacheConfig(client))
              .withPath(path.getFileSystem(client), path)
              .withFileContext(new HFileContextBuilder().build());
      try (HFile.Writer writer = factory.create()) {
        for (Map.Entry<byte[], Long> row : sorted) {
          Put put = fill(new Put(row.getKey(), time), row.getValue());
          for (Cell cell : put.getFamilyCellMap().get(family)) {
            APPEND.invoke(writer, cell);
          }
        }
      } catch (ReflectiveOperationException e) {
        throw new IOException("not written: " + path, e);
      }
    }
  }

  private long regionOf(byte[] key) {
    return splits.stream().filter(split -> Bytes.compareTo(key, split) >= 0).count();
  }

  /** Creates the table without rows. */
  public void create(Admin admin) throws IOException {
    admin.createTable(descriptor(HConstants.DEFAULT_BLOCKSIZE), splitKeys());
  }

  /** Returns the descriptor from which HBase creates it. */
  public TableDescriptor descriptor(int blockBytes) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (byte[] family : families) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family).setBlocksize(blockBytes).build());
    }
    return table.build();
  }

  /** Creates the table, and bulk loads the files of its rows. */
  void load(HBaseServer server, Connection connection, java.nio.file.Path folder)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      create(admin);
    }
    Configuration client = server.clientConfiguration();
    client.setBoolean(BulkLoadHFiles.ALWAYS_COPY_FILES, true);
    BulkLoadHFiles.create(client).bulkLoad(name, new Path(folder.toUri().toString()));
  }

  /** Writes its rows from the first one on, in steps; they are not flushed to files. */
  public void write(Connection connection, int threads, long first, long step) throws IOException {
    AtomicLong next = new AtomicLong(first);
    ClientThreads.run(
        "load",
        threads,
        thread -> {
          try (BufferedMutator target = connection.getBufferedMutator(name)) {
            for (long row = next.getAndAdd(step);
                row < rows && !Thread.currentThread().isInterrupted();
                row = next.getAndAdd(step)) {
              target.mutate(put(row));
            }
          }
        });
  }

  /** Returns a put of a row, with values that carry this stamp. */
  Put put(byte[] key, long stamp) {
    return fill(new Put(key), stamp);
  }

  /** Returns a put of a row, with the row's own stamp. */
  public Put put(long row) {
    return put(key(row), stamp(row));
  }

  public byte[] key(long row) {
    return keys.apply(row);
  }

  /** A row's own stamp, in the first generation. */
  private long stamp(long row) {
    return row + generation * rows;
  }

  private Put fill(Put put, long stamp) {
    for (byte[] family : families) {
      put.addColumn(family, COLUMN, value(put.getRow(), family, stamp));
    }
    return put;
  }

  private byte[] value(byte[] row, byte[] family, long stamp) {
    long seed =
        Hashing.farmHashFingerprint64()
            .newHasher()
            .putInt(row.length)
            .putBytes(row)
            .putBytes(family)
            .putLong(stamp)
            .hash()
            .asLong();
    byte[] value = values.make(valueBytes, new SplittableRandom(seed));
    ByteBuffer.wrap(value).putLong(stamp);
    return value;
  }

  /** Scans the whole table, one thread for each region; checks each row and their number. */
  void checkAll(Connection connection, int threads, long expectedRows, RowChecks checks)
      throws IOException {
    AtomicLong found = new AtomicLong();
    ClientThreads.each(
        "check",
        threads,
        splits.size() + 1,
        region -> {
          Scan scan = new Scan().withStartRow(begin(region)).withStopRow(begin(region + 1));
          try (Table source = connection.getTable(name);
              ResultScanner scanner = source.getScanner(scan.setCaching(ROWS_PER_CALL))) {
            for (Result row = scanner.next(); row != null; row = scanner.next()) {
              checks.row(fault(row));
              found.incrementAndGet();
            }
          }
        });
    if (found.get() != expectedRows) {
      checks.fault(name + " has " + found + " rows, should have " + expectedRows);
    }
  }

  /** Returns what is wrong with a row, or nothing. */
  Optional<String> fault(Result row) {
    String said = name + " row " + Bytes.toStringBinary(row.getRow());
    if (row.size() != families.size()) {
      return Optional.of(said + " has " + row.size() + " cells, should have " + families.size());
    }
    for (byte[] family : families) {
      byte[] value = row.getValue(family, COLUMN);
      if (value == null) {
        return Optional.of(said + " has no value in " + Bytes.toString(family));
      }
      if (value.length < Long.BYTES) {
        return Optional.of(said + ": " + value.length + " bytes");
      }
      int at = Arrays.mismatch(value(row.getRow(), family, Bytes.toLong(value)), value);
      if (at >= 0) {
        return Optional.of(said + ": wrong byte at " + at);
      }
    }
    return Optional.empty();
  }

  /** Returns what is wrong with a row that must have its own stamp, or nothing. */
  public Optional<String> fault(Result read, long row) {
    if (read.isEmpty()) {
      return Optional.of(name + " has lost row " + row);
    }
    boolean isForeign = stamp(row) != stamp(read) || !Arrays.equals(key(row), read.getRow());
    return isForeign
        ? Optional.of(name + " has for row " + row + " a foreign one: " + read)
        : fault(read);
  }

  /** Returns the stamp that a row carries; -1 if it has none. */
  public static long stamp(Result row) {
    byte[] value = row.getValue(FAMILY, COLUMN);
    return value == null || value.length < Long.BYTES ? -1 : Bytes.toLong(value);
  }

  /** Waits until each region answers a lookup. */
  public void awaitAnswer(Connection connection) throws IOException {
    try (Table source = connection.getTable(name)) {
      for (int region = 0; region <= splits.size(); region++) {
        source.exists(new Get(begin(region)));
      }
    }
  }

  /** The kinds of value bytes, and by what factor LZ4 and Zstandard shrink their blocks. */
  public enum Values {
    /** Random bytes: not at all. */
    RANDOM,

    /** Random bytes of random lengths. */
    VARIED,

    /** Words from a list of 512: by 2.1 and 3. */
    WORDS;

    private static final byte[][] DICTIONARY = dictionary(new SplittableRandom(1));

    /** Words of 3 to 10 letters, each followed by a space. */
    private static byte[][] dictionary(SplittableRandom random) {
      return Stream.generate(() -> newWord(random)).limit(512).toArray(byte[][]::new);
    }

    private static byte[] newWord(SplittableRandom random) {
      byte[] word = new byte[random.nextInt(4, 12)];
      for (int i = 0; i < word.length - 1; i++) {
        word[i] = (byte) random.nextInt('a', 'z' + 1);
      }
      word[word.length - 1] = ' ';
      return word;
    }

    /** Returns its name on the command line and in JSON. */
    String id() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns a value derived from the generator's seed. */
    byte[] make(int bytes, SplittableRandom random) {
      byte[] value = new byte[this == VARIED ? random.nextInt(Long.BYTES, bytes + 1) : bytes];
      if (this != WORDS) {
        random.nextBytes(value);
        return value;
      }
      ByteBuffer left = ByteBuffer.wrap(value);
      while (left.hasRemaining()) {
        byte[] word = DICTIONARY[random.nextInt(DICTIONARY.length)];
        left.put(word, 0, Math.min(word.length, left.remaining()));
      }
      return value;
    }
  }

  /** YCSB's own workload, which also knows how many rows the table has. */
  static final class Operations extends CoreWorkload {

    private Operations() {}

    static synchronized Operations with(Map<String, ?> settings) {
      Properties properties = new Properties();
      settings.forEach((key, value) -> properties.setProperty(key, String.valueOf(value)));
      // YCSB's workload reports to a singleton, which must have its settings before its first use.
      // Its measurements are not read.
      Measurements.setProperties(properties);
      Operations operations = new Operations();
      try {
        operations.init(properties);
      } catch (WorkloadException e) {
        throw new IllegalStateException("YCSB refuses its settings " + properties, e);
      }
      return operations;
    }

    /** Returns the function from a row's number to its key. */
    static LongFunction<byte[]> keys() {
      Operations operations = with(Map.of("recordcount", 1));
      return row -> Bytes.toBytes(operations.buildKeyName(row));
    }

    /** Returns the number of rows up to the first missing one. */
    long rows() {
      return transactioninsertkeysequence.lastValue() + 1;
    }
  }
}
