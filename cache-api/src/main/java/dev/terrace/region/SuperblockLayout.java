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
package dev.terrace.region;

/**
 * Where things are in the file {@code superblock}, which is of exactly {@link #SIZE_BYTES} bytes.
 * All numbers are little-endian.
 *
 * <pre>
 *    0                   4                   8                  12
 *    +-------------------+-------------------+-------------------+-------------------+
 *  0 | magic "TERRACE\n"                     | format version    | kind              |
 *    +-------------------+-------------------+-------------------+-------------------+
 * 16 | id, high half                         | id, low half                          |
 *    +-------------------+-------------------+-------------------+-------------------+
 * 32 | generation                            | bytes of a region | regions           |
 *    +-------------------+-------------------+-------------------+-------------------+
 * 48 | started empty at, ms                  | opened at, ms                         |
 *    +-------------------+-------------------+-------------------+-------------------+
 * 64 | zero                                                                          |
 *    +                                                           +-------------------+
 * 112|                                                           | CRC32C of 0..123  |
 *    +-------------------+-------------------+-------------------+-------------------+
 * </pre>
 *
 * <p>Magic and format version stay where they are in all versions.
 */
final class SuperblockLayout {

  /** The eight letters {@code TERRACE} and a line feed, the first in the lowest byte. */
  static final long MAGIC_VALUE = 0x0A45_4341_5252_4554L;

  static final int FORMAT_VERSION = 1;

  static final int MAGIC = 0;
  static final int VERSION = 8;
  static final int KIND = 12;
  static final int ID_HIGH = 16;
  static final int ID_LOW = 24;
  static final int GENERATION = 32;
  static final int REGION_BYTES = 40;
  static final int REGIONS = 44;
  static final int CREATED_MILLIS = 48;
  static final int OPENED_MILLIS = 56;
  static final int CHECKSUM = 124;
  static final int SIZE_BYTES = 128;

  private SuperblockLayout() {}
}
