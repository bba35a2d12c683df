// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

/**
 * The layout of the file {@code superblock}. It has three pages: two copies of the superblock,
 * which are written one after the other, and one that is not used. A copy takes the first {@link
 * #COPY_BYTES} of its page, and no other bytes of the file matter. All numbers are little-endian.
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
 * 64 | secret, high half                     | secret, low half                      |
 *    +---------+---------+-------------------+-------------------+-------------------+
 * 80 | n (2)   | contents, n bytes of UTF-8, then zeros                              |
 *    +---------+                                                 +-------------------+
 * 496|                                                           | CRC32C of 0..507  |
 *    +-------------------+-------------------+-------------------+-------------------+
 * </pre>
 *
 * <p>Magic and format version of the first copy stay where they are in all versions.
 */
public final class SuperblockLayout {

  /** The eight letters {@code TERRACE} and a line feed, the first in the lowest byte. */
  static final long MAGIC_VALUE = 0x0A45_4341_5252_4554L;

  /** The version of the folder and of all that is in it. */
  public static final int FORMAT_VERSION = 2;

  /** The oldest version that can be read: of the first release, and for as long as it can be. */
  static final int OLDEST_VERSION = 2;

  static final int MAGIC = 0;
  public static final int VERSION = 8;
  static final int KIND = 12;
  static final int ID_HIGH = 16;
  static final int ID_LOW = 24;
  static final int GENERATION = 32;
  static final int REGION_BYTES = 40;
  static final int REGIONS = 44;
  static final int CREATED_MILLIS = 48;
  static final int OPENED_MILLIS = 56;
  static final int SECRET = 64;
  static final int CONTENTS_BYTES = 80;
  static final int CONTENTS = 82;
  static final int CHECKSUM = 508;
  public static final int COPY_BYTES = 512;

  /** Most bytes of {@link Superblock#contents} in UTF-8. */
  public static final int MAX_CONTENTS_BYTES = 256;

  /** The largest unit that a power cut tears, so no write to one page harms another. */
  static final int PAGE_BYTES = 4096;

  public static final int FIRST_COPY = 0;
  public static final int SECOND_COPY = PAGE_BYTES;
  public static final int FILE_BYTES = 3 * PAGE_BYTES;

  private SuperblockLayout() {}
}
