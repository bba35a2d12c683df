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

import dev.terrace.bench.server.Daemon;
import dev.terrace.bench.server.FreePorts;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.Hdfs;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real HBase over HDFS on the local disk, as case c of the bench has it beside S3. */
@Tag("hadoop")
@Tag("long")
final class HdfsIT {

  private static final VersionedTable TABLE = new VersionedTable("beside", 2_000, 1, 1, 1_000);

  private Path work;
  private Hdfs hdfs;
  private HBaseServer server;

  @BeforeEach
  void startHdfs() throws IOException {
    work = HBaseInstall.home().resolve("bench/target/it/HdfsIT");
    FileUtils.deleteDirectory(work.toFile());
    hdfs =
        new Hdfs(
            HBaseInstall.overS3(),
            new RunFolders(work, List.of(), List.of()),
            new FreePorts().next(),
            1,
            Daemon.Jvm.shortLived(160));
    hdfs.start();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.kill9();
    }
    hdfs.kill9();
  }

  @Test
  void hbaseHasItsFilesThere() throws IOException {
    Path store = Files.createDirectories(work.resolve("store"));
    byte[] copied = TABLE.key(1);
    Files.write(store.resolve("file"), copied);
    String root = hdfs.copy(store.toString()) + "/hbase";
    Path folder = work.resolve("over-hdfs");
    ServerSetup setup =
        Setups.plain("over-hdfs", hdfs.clientSettings())
            .with(
                Map.of(
                    "hbase.rootdir",
                    root,
                    "hbase.wal.dir",
                    folder.resolve("wal").toUri().toString()));
    server = HBaseServer.start(HBaseInstall.overS3(), setup, folder);
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE.name());
        FileSystem files = hdfs.connect()) {
      admin.createTable(TABLE.descriptor());
      List<Put> puts = new ArrayList<>();
      for (long row = 0; row < TABLE.rows(); row++) {
        puts.add(TABLE.put(row));
      }
      table.put(puts);
      admin.flush(TABLE.name());
      admin.clearBlockCache(TABLE.name());
      for (long row = 0; row < TABLE.rows(); row += 100) {
        assertThat(TABLE.fault(row, table.get(new Get(TABLE.key(row))))).isEmpty();
      }
      var top = new org.apache.hadoop.fs.Path(root);
      var data = new org.apache.hadoop.fs.Path(top, "data/default/" + TABLE.name());
      assertThat(files.getContentSummary(data).getLength()).isGreaterThan(TABLE.rows() * 1_000);
      try (InputStream in = files.open(new org.apache.hadoop.fs.Path(top.getParent(), "file"))) {
        assertThat(in.readAllBytes()).isEqualTo(copied);
      }
    }
  }
}
