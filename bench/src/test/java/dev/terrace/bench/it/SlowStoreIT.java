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
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.slow.SlowProfile;
import dev.terrace.bench.slow.SlowSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real HBase whose files are in a simulated object store, its write-ahead log aside. */
@Tag("hadoop")
@Tag("long")
final class SlowStoreIT {

  private static final VersionedTable TABLE = new VersionedTable("slow", 2_000, 1, 1, 1_000);

  private Path logs;
  private HBaseServer server;

  @BeforeEach
  void start() throws IOException {
    logs = HBaseInstall.home().resolve("bench/target/it/SlowStoreIT");
    FileUtils.deleteDirectory(logs.toFile());
    Files.createDirectories(logs);
    Path data = logs.resolve("data");
    ServerSetup setup =
        Setups.plain(
                "slow",
                SlowSettings.forHBase(data.resolve("hbase").toString(), SlowProfile.OBJECT_STORE))
            .with(Map.of("hbase.wal.dir", data.resolve("wal").toUri().toString()))
            .with(List.of(SlowSettings.writeJar(logs)));
    server = HBaseServer.start(HBaseInstall.in(HBaseInstall.home()), setup, logs);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.kill9();
    }
  }

  @Test
  void whatIsWrittenThroughItIsReadThroughIt() throws IOException {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE.name())) {
      admin.createTable(TABLE.descriptor());
      List<Put> puts = new ArrayList<>();
      for (long row = 0; row < TABLE.rows(); row++) {
        puts.add(TABLE.put(row));
      }
      table.put(puts);
      admin.flush(TABLE.name());
      long startNanos = System.nanoTime();
      for (long row = 0; row < TABLE.rows(); row += 100) {
        assertThat(TABLE.fault(row, table.get(new Get(TABLE.key(row))))).isEmpty();
      }
      // However fast the machine is, a request waits for 20 ms at least.
      assertThat(System.nanoTime() - startNanos).isGreaterThan(15 * 20_000_000L);
    }
    assertThat(logs.resolve("data/hbase/data/default/slow")).isDirectory();
    assertThat(logs.resolve("data/wal/WALs")).isDirectory();
    try (Stream<String> log = Files.lines(server.log())) {
      assertThat(log).anyMatch(line -> line.contains("SIMULATION of a slow store, object-store"));
    }
  }
}
