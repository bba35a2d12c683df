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
package dev.terrace.hbase.warm;

import dev.terrace.hbase.warm.list.HeatList;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;

/** The file in a region's folder that has its list of heat. */
final class HeatFile {

  /** HBase deletes it with the region's folder, and takes no notice of it else. */
  static final String NAME = ".terrace-heat";

  private static final FsPermission OWNER_ALONE = new FsPermission((short) 0600);
  private static final int BUFFER_BYTES = 64 << 10;

  private HeatFile() {}

  /** The file of a region, or of a replica of one. */
  static Path of(HRegion region) {
    int replica = region.getRegionInfo().getReplicaId();
    String name = replica == RegionInfo.DEFAULT_REPLICA_ID ? NAME : NAME + "-" + replica;
    return new Path(region.getRegionFileSystem().getRegionDir(), name);
  }

  /** Replaces the file of a region, unless the region's folder is gone. */
  static void write(HRegion region, byte[] list) throws IOException {
    HRegionFileSystem regionFiles = region.getRegionFileSystem();
    FileSystem files = regionFiles.getFileSystem();
    Path file = of(region);
    // Without its folder: a region that was dropped must not come back as a folder.
    try (FSDataOutputStream out =
        files.createNonRecursive(
            file,
            OWNER_ALONE,
            EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
            BUFFER_BYTES,
            files.getDefaultReplication(file),
            files.getDefaultBlockSize(file),
            null)) {
      out.write(list);
    }
  }

  /**
   * Reads a file.
   *
   * @return empty if it is absent
   * @throws IOException if it cannot be read, or is no list
   */
  static Optional<HeatList> read(FileSystem files, Path file) throws IOException {
    try (FSDataInputStream in = files.open(file)) {
      byte[] bytes = in.readNBytes(HeatList.MOST_BYTES + 1);
      return Optional.of(HeatList.decoded(bytes));
    } catch (FileNotFoundException e) {
      // The same for what may not be read, or is no file.
      if (files.exists(file)) {
        throw e;
      }
      return Optional.empty();
    }
  }
}
