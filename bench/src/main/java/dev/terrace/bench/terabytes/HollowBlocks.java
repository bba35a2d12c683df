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
package dev.terrace.bench.terabytes;

import dev.terrace.bench.workload.BlockSet;
import java.util.Locale;

/**
 * Which blocks lie in the regions of an SSD tier. The first record of each is a small block that
 * can be read. The others are known by the region's table alone, and nothing was ever written where
 * they would be. Files have about two thousand blocks, four of them side by side.
 *
 * @param regions how many, over all paths
 */
record HollowBlocks(int regions) {

  /** What a hollow block has in a region's table. */
  static final int PAYLOAD_BYTES = 65_600;

  /** How many hollow blocks a region has room for. */
  static final int IN_REGION = 255;

  static final int NAME_BYTES = 32;
  private static final int FILES_AT_A_TIME = 4;
  private static final int REGIONS_OF_FILES = 32;
  private static final long ON_DISK_BYTES = 65_793;
  private static final int FILES_OF_HBASE_REGION = 100;
  private static final int FILES_OF_TABLE = 5_000;
  private static final int REAL_BYTES = 1024;

  /** The blocks that can be read: one in each region. */
  BlockSet real() {
    return BlockSet.ofOneSize(regions, REAL_BYTES).inFilesOf(REGIONS_OF_FILES);
  }

  /** Blocks of both kinds. */
  long count() {
    return (long) regions * (IN_REGION + 1);
  }

  /** The number of files of hollow blocks. */
  int files() {
    return (regions + REGIONS_OF_FILES - 1) / REGIONS_OF_FILES * FILES_AT_A_TIME;
  }

  /** The file that some hollow blocks of a region are of. */
  static int file(int region, int block) {
    return region / REGIONS_OF_FILES * FILES_AT_A_TIME + block % FILES_AT_A_TIME;
  }

  static long offset(int region, int block) {
    int before = region % REGIONS_OF_FILES * ((IN_REGION + FILES_AT_A_TIME) / FILES_AT_A_TIME);
    return (before + block / FILES_AT_A_TIME) * ON_DISK_BYTES;
  }

  static String name(int file) {
    return String.format(Locale.ROOT, "%016x%016x", file * 0x9e3779b97f4a7c15L, file);
  }

  /** Where a file belongs, and that all of it was cached. */
  static String origin(int file) {
    int blocks = REGIONS_OF_FILES * (IN_REGION / FILES_AT_A_TIME);
    return String.format(
        Locale.ROOT,
        "1 %032x default:t%d %d %d",
        file / FILES_OF_HBASE_REGION,
        file / FILES_OF_TABLE,
        blocks,
        offset(REGIONS_OF_FILES - 1, IN_REGION) + ON_DISK_BYTES);
  }
}
