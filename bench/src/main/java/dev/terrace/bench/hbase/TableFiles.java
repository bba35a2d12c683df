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
package dev.terrace.bench.hbase;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;

/** Brings a table from memory into one file for each store. */
public final class TableFiles {

  private static final Duration COMPACTION_LIMIT = Duration.ofMinutes(10);

  private TableFiles() {}

  /**
   * Flushes a table and compacts it, and returns when that is done.
   *
   * @throws HBaseServerException if the server ends first, or takes more than ten minutes
   * @throws IOException if it refuses
   */
  public static void settle(HBaseServer server, Connection connection, TableName table)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
      long before = admin.getLastMajorCompactionTimestamp(table);
      admin.majorCompact(table);
      server.await(
          "table " + table + " was compacted",
          COMPACTION_LIMIT,
          () ->
              admin.getLastMajorCompactionTimestamp(table) > before
                  && admin.getCompactionState(table) == CompactionState.NONE);
    }
  }
}
