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
package dev.terrace.bench.load;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Vector;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * YCSB's operations over HBase's client. YCSB decides which row and which operation; values are
 * {@link CheckedValue}s, and each row that is read is checked. The results that YCSB hands in stay
 * empty, since it does not look at them. Belongs to one thread.
 */
final class YcsbBinding extends DB {

  private final CheckedTable shape;
  private final Table table;
  private final RowChecks checks;
  private final SplittableRandom stamps;

  /**
   * A binding.
   *
   * @param seed of the stamps of values
   */
  YcsbBinding(CheckedTable shape, Table table, RowChecks checks, long seed) {
    this.shape = shape;
    this.table = table;
    this.checks = checks;
    this.stamps = new SplittableRandom(seed);
  }

  @Override
  public Status read(
      String tableName, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return called(
        () -> {
          Result row = table.get(new Get(Bytes.toBytes(key)));
          if (row.isEmpty()) {
            checks.fault("row " + key + " is missing");
          } else {
            checks.row(shape.fault(row));
          }
        });
  }

  // NonApiType: YCSB's signature.
  @SuppressWarnings("NonApiType")
  @Override
  public Status scan(
      String tableName,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    Scan scan = new Scan().withStartRow(Bytes.toBytes(startKey)).setLimit(count).setCaching(count);
    return called(
        () -> {
          boolean found = false;
          try (ResultScanner rows = table.getScanner(scan)) {
            for (Result row = rows.next(); row != null; row = rows.next()) {
              checks.row(shape.fault(row));
              found = true;
            }
          }
          if (!found) {
            checks.fault("a scan from row " + startKey + " found no row");
          }
        });
  }

  @Override
  public Status update(String tableName, String key, Map<String, ByteIterator> values) {
    return called(() -> table.put(shape.put(Bytes.toBytes(key), stamps.nextLong())));
  }

  @Override
  public Status insert(String tableName, String key, Map<String, ByteIterator> values) {
    return update(tableName, key, values);
  }

  @Override
  public Status delete(String tableName, String key) {
    return called(() -> table.delete(new Delete(Bytes.toBytes(key))));
  }

  private Status called(Call call) {
    try {
      call.run();
      return Status.OK;
    } catch (IOException e) {
      checks.error(e);
      return Status.ERROR;
    }
  }

  /** A call of HBase's client. */
  private interface Call {
    void run() throws IOException;
  }
}
