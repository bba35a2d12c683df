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
package dev.terrace.bench.ycsb;

import dev.terrace.bench.load.CheckedValue;
import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Vector;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * YCSB's operations over HBase's client. It takes the lengths of values from YCSB and writes {@link
 * CheckedValue}s of them, so that each value can be checked when it is read. Belongs to one thread.
 */
final class HBaseBinding extends DB {

  private static final int ROWS_A_CALL = 500;

  private final YcsbTable shape;
  private final Table table;
  private final Optional<BufferedMutator> buffer;
  private final RowChecks checks;
  private final SplittableRandom stamps;

  /**
   * A binding.
   *
   * @param buffer where inserts go instead of straight to the table, when there is one
   * @param seed of the stamps of values
   */
  HBaseBinding(
      YcsbTable shape, Table table, Optional<BufferedMutator> buffer, RowChecks checks, long seed) {
    this.shape = shape;
    this.table = table;
    this.buffer = buffer;
    this.checks = checks;
    this.stamps = new SplittableRandom(seed);
  }

  /** Reads a row and checks it; {@code result} stays empty, since YCSB would not look at it. */
  @Override
  public Status read(
      String tableName, String key, Set<String> fields, Map<String, ByteIterator> result) {
    Get get = new Get(bytes(key));
    if (fields != null) {
      fields.forEach(field -> get.addColumn(YcsbTable.FAMILY, bytes(field)));
    }
    try {
      Result row = table.get(get);
      if (row.isEmpty()) {
        checks.fault("row " + key + " is missing");
        return Status.NOT_FOUND;
      }
      check(row, fields == null ? shape.fields() : fields.size());
      return Status.OK;
    } catch (IOException e) {
      return failed(e);
    }
  }

  /** Scans and checks every row; {@code result} stays empty, since YCSB would not look at it. */
  // NonApiType: YCSB's signature.
  @SuppressWarnings("NonApiType")
  @Override
  public Status scan(
      String tableName,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    Scan scan = new Scan().withStartRow(bytes(startKey)).setLimit(count).setCaching(count);
    if (fields != null) {
      fields.forEach(field -> scan.addColumn(YcsbTable.FAMILY, bytes(field)));
    }
    try (ResultScanner rows = table.getScanner(scan)) {
      int found = 0;
      for (Result row = rows.next(); row != null; row = rows.next()) {
        check(row, fields == null ? shape.fields() : fields.size());
        found++;
      }
      if (found == 0) {
        checks.fault("a scan from row " + startKey + " found no row");
      }
      return Status.OK;
    } catch (IOException e) {
      return failed(e);
    }
  }

  @Override
  public Status update(String tableName, String key, Map<String, ByteIterator> values) {
    try {
      table.put(put(key, values));
      return Status.OK;
    } catch (IOException e) {
      return failed(e);
    }
  }

  @Override
  public Status insert(String tableName, String key, Map<String, ByteIterator> values) {
    try {
      if (buffer.isPresent()) {
        buffer.get().mutate(put(key, values));
        return Status.BATCHED_OK;
      }
      table.put(put(key, values));
      return Status.OK;
    } catch (IOException e) {
      return failed(e);
    }
  }

  @Override
  public Status delete(String tableName, String key) {
    try {
      table.delete(new Delete(bytes(key)));
      return Status.OK;
    } catch (IOException e) {
      return failed(e);
    }
  }

  /** Scans and checks all rows of a range, and returns how many there are. */
  long checkRange(byte[] from, byte[] to) throws IOException {
    Scan scan = new Scan().withStartRow(from).withStopRow(to).setCaching(ROWS_A_CALL);
    long found = 0;
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        check(row, shape.fields());
        found++;
      }
    }
    return found;
  }

  private Put put(String key, Map<String, ByteIterator> values) {
    byte[] row = bytes(key);
    Put put = new Put(row);
    values.forEach(
        (name, value) -> {
          byte[] field = bytes(name);
          int length = Math.toIntExact(value.bytesLeft());
          put.addColumn(
              YcsbTable.FAMILY, field, CheckedValue.of(row, field, stamps.nextLong(), length));
        });
    return put;
  }

  private void check(Result row, int fields) {
    checks.row();
    if (row.size() != fields) {
      checks.fault(name(row) + " has " + row.size() + " fields, should have " + fields);
    }
    for (Cell cell : row.rawCells()) {
      byte[] field = CellUtil.cloneQualifier(cell);
      CheckedValue.fault(
              row.getRow(),
              field,
              cell.getValueArray(),
              cell.getValueOffset(),
              cell.getValueLength(),
              shape.fieldBytes())
          .ifPresent(
              fault ->
                  checks.fault(
                      name(row)
                          + " field "
                          + new String(field, StandardCharsets.UTF_8)
                          + ": "
                          + fault));
    }
  }

  private Status failed(IOException failure) {
    checks.error(failure);
    return Status.ERROR;
  }

  private static String name(Result row) {
    return "row " + new String(row.getRow(), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
