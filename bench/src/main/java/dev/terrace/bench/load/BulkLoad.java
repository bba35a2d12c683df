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
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;

public final class BulkLoad {

  private BulkLoad() {}

  /** Writes rows of one family to a file, in the order of their keys. */
  public static void write(Configuration client, Path file, byte[] family, Iterator<Put> rows)
      throws IOException {
    HFile.WriterFactory factory =
        HFile.getWriterFactory(client, new CacheConfig(client))
            .withPath(file.getFileSystem(client), file)
            .withFileContext(new HFileContextBuilder().build());
    try (HFile.Writer writer = factory.create()) {
      while (rows.hasNext()) {
        for (Cell cell : rows.next().getFamilyCellMap().get(family)) {
          writer.append(cell);
        }
      }
    }
  }

  /** Loads the files of a folder, which has a folder for each family. */
  public static void load(Configuration client, TableName table, Path folder) throws IOException {
    BulkLoadHFiles.create(client).bulkLoad(table, folder);
  }
}
