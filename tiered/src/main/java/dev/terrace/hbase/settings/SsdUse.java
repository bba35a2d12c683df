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
package dev.terrace.hbase.settings;

import dev.terrace.region.compression.Compression;
import dev.terrace.region.device.IoLimits;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the SSD tier uses its disks.
 *
 * @param verify whether the checksum of a block is computed at each read
 * @param direct whether the page cache is bypassed where the file system allows it
 * @param readAhead whether scans past the page cache are read ahead of
 * @param writeLimitBytes bytes a second that may be written, over every ten seconds; 0 is no limit
 * @param endurance whether fewer writes are worth more than hits
 * @param readers callers that may read from one path at a time
 * @param compression how blocks are compressed
 */
public record SsdUse(
    boolean verify,
    DirectIoChoice direct,
    boolean readAhead,
    long writeLimitBytes,
    boolean endurance,
    int readers,
    Compression compression) {

  private static final String PREFIX = TerraceSettings.PREFIX + "ssd.";

  /** Whether reads are checked. */
  public static final Setting VERIFY =
      new Setting(
          PREFIX + "verify",
          "true",
          "Check a block's checksum at each read from the SSD tier; if false, only at the first"
              + " read after a restart. The block's identity is always checked.",
          false);

  /** Whether scans are read ahead of. */
  public static final Setting READ_AHEAD =
      new Setting(
          PREFIX + "read.ahead",
          "true",
          "Read the next blocks from the SSD while a scan works on the ones before, if the page"
              + " cache is bypassed. If false, scans take less of the disk from other reads.",
          false);

  /** How much may be written. */
  public static final Setting WRITE_LIMIT =
      new Setting(
          PREFIX + "write.limit",
          "0",
          "Bytes a second that may be written to the SSD tier, such as 50m, as a mean over ten"
              + " seconds; 0 is no limit.",
          false);

  /** Whether fewer writes are worth more than hits. */
  public static final Setting ENDURANCE =
      new Setting(
          PREFIX + "endurance",
          "false",
          "Trade hits for fewer SSD writes: a write must save more reads before it is made.",
          false);

  /** The most callers inside one path. */
  public static final Setting READERS =
      new Setting(
          PREFIX + "readers",
          Integer.toString(IoLimits.USUAL_READERS),
          "Largest number of callers inside one SSD path, from 1 to 1000: a disk that hangs holds"
              + " no more. A caller that gets no place within 0.1 s misses.",
          false);

  private static final int MOST_READERS = 1000;

  /** How blocks are compressed. */
  public static final Setting COMPRESSION =
      new Setting(
          PREFIX + "compression",
          Compression.NONE.toString(),
          "How blocks are compressed on SSD if they shrink by an eighth: none, lz4 or zstd.",
          false);

  static SsdUse read(SettingsReader reader) {
    return new SsdUse(
        reader.flag(VERIFY),
        DirectIoChoice.read(reader),
        reader.flag(READ_AHEAD),
        reader.sizeBytes(WRITE_LIMIT),
        reader.flag(ENDURANCE),
        reader.count(READERS, 1, MOST_READERS),
        reader.choice(COMPRESSION, Compression.values(), Compression.NONE));
  }

  /** Whether scans may be read ahead of, which takes direct memory. */
  boolean mayReadAhead() {
    return readAhead && direct != DirectIoChoice.FALSE;
  }

  /** The same as one would write it. */
  Map<String, String> asMap() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put(VERIFY.key(), Boolean.toString(verify));
    map.put(DirectIoChoice.SETTING.key(), direct.toString());
    map.put(READ_AHEAD.key(), Boolean.toString(readAhead));
    map.put(WRITE_LIMIT.key(), Long.toString(writeLimitBytes));
    map.put(ENDURANCE.key(), Boolean.toString(endurance));
    map.put(READERS.key(), Integer.toString(readers));
    map.put(COMPRESSION.key(), compression.toString());
    return map;
  }
}
