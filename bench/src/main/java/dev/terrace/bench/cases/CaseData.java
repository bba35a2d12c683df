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
package dev.terrace.bench.cases;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.hbase.CachePlaces;
import dev.terrace.bench.hbase.FileTree;
import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.hbase.ServerFleet;
import dev.terrace.bench.hbase.TableFiles;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.macro.CacheSizes;
import dev.terrace.bench.macro.Configuration;
import dev.terrace.bench.slow.SlowProfile;
import dev.terrace.bench.slow.SlowSettings;
import dev.terrace.bench.ycsb.YcsbClient;
import dev.terrace.bench.ycsb.YcsbTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;

/** Loads the table once, for all cases. */
final class CaseData {

  /** About how long that takes on two idle cores for 100,000 rows. */
  private static final double SECONDS_FOR_100_000_ROWS = 10;

  private static final double SECONDS_OF_A_SERVER = 25;
  private static final long LRU_BYTES = 64L << 20;

  private CaseData() {}

  static double plannedSeconds(CaseOptions options) {
    return SECONDS_OF_A_SERVER + options.rows() / 1e5 * SECONDS_FOR_100_000_ROWS;
  }

  /**
   * Loads the table and stops the server.
   *
   * @return bytes of the table's files
   */
  static long load(CaseOptions options, RunFolders folders, ServerFleet fleet, Path slowJar)
      throws IOException {
    Path data = folders.loadedData();
    CachePlaces places = folders.loadedPlaces();
    ByteSize lru = new ByteSize(LRU_BYTES);
    Map<String, String> extra =
        new LinkedHashMap<>(
            SlowSettings.forHBase(data.resolve("hbase").toString(), SlowProfile.NONE));
    extra.put("hbase.wal.dir", data.resolve("wal").toUri().toString());
    HBaseServer server =
        fleet.start(
            Configuration.LRU.with(new CacheSizes(options.heap(), lru, lru, lru), places),
            folders.loaded(),
            data,
            extra,
            List.of(slowJar));
    try (Connection connection = server.connect()) {
      new YcsbClient(options.table(), new RowChecks())
          .load(connection, options.threads(), rows -> {});
      TableFiles.settle(server, connection, YcsbTable.NAME);
    }
    fleet.stop(server);
    String table = YcsbTable.NAME.getNameAsString();
    return FileTree.bytes(data.resolve("hbase/data/default").resolve(table));
  }

  static String said(CaseOptions options) {
    return String.format(
        Locale.ROOT,
        "Loading %,d rows of 1,000 bytes, then a flush and a major compaction",
        options.rows());
  }
}
