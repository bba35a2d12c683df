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
package dev.terrace.bench.fire;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/** Brings rows into a table as a file, past its memstores. */
final class BulkLoad {

  private final Configuration client;

  BulkLoad(Configuration client) {
    this.client = client;
  }

  /** Loads rows of one family; the folder in HDFS is of this load alone. */
  void load(TableName table, byte[] family, List<Put> rows, String folder) throws IOException {
    FileSystem files = FileSystem.get(client);
    Path all = new Path(client.get(HConstants.HBASE_DIR)).getParent();
    Path own = new Path(all, folder);
    Path file = new Path(new Path(own, Bytes.toString(family)), "rows");
    List<Put> sorted =
        rows.stream().sorted(Comparator.comparing(Row::getRow, Bytes.BYTES_COMPARATOR)).toList();
    HFile.WriterFactory factory =
        HFile.getWriterFactory(client, new CacheConfig(client))
            .withPath(files, file)
            .withFileContext(new HFileContextBuilder().build());
    try (HFile.Writer writer = factory.create()) {
      for (Put row : sorted) {
        for (Cell cell : row.getFamilyCellMap().get(family)) {
          writer.append(cell);
        }
      }
    }
    BulkLoadHFiles.create(client).bulkLoad(table, own);
    boolean unused = files.delete(own, true);
  }
}
