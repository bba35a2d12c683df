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
package dev.terrace.hbase.blocks;

import java.util.Arrays;
import org.apache.hadoop.hbase.io.HalfStoreFileReader;
import org.apache.hadoop.hbase.util.VersionInfo;

/** Differences between HBase versions that Terrace depends on. */
public final class HBaseVersion {

  private static final boolean EVICTS_HALF_FILES =
      Arrays.stream(HalfStoreFileReader.class.getDeclaredMethods())
          .anyMatch(
              method ->
                  method.getName().equals("close")
                      && Arrays.equals(method.getParameterTypes(), new Class<?>[] {boolean.class}));

  private static final boolean TAKES_SIZES_OF_SKIPPED_BLOCKS =
      VersionInfo.getVersion().startsWith("2.");

  private HBaseVersion() {}

  /**
   * Whether a prefetch that has skipped cached blocks reads the next one with the size of another,
   * as in 2.6.
   */
  public static boolean takesSizesOfSkippedBlocks() {
    return TAKES_SIZES_OF_SKIPPED_BLOCKS;
  }

  /**
   * Whether the reader of a reference file, when it closes, evicts its half of the file referred
   * to, as from 2.6 on. An older one evicts nothing but the reference file's name.
   */
  public static boolean evictsHalfFiles() {
    return EVICTS_HALF_FILES;
  }
}
