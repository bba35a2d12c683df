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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * What a folder says of itself.
 *
 * @param kind what the regions are meant for
 * @param id random, new each time the folder was started empty
 * @param generation how often the contents were opened; 1 when they were started empty
 * @param geometry how many regions of what size
 * @param createdMillis when the folder was started empty, by the wall clock
 * @param openedMillis when it was opened last, by the wall clock
 */
record Superblock(
    DeviceKind kind,
    UUID id,
    long generation,
    DeviceGeometry geometry,
    long createdMillis,
    long openedMillis) {

  /** The bytes of the file. */
  byte[] encode() {
    ByteBuffer bytes =
        ByteBuffer.allocate(SuperblockLayout.SIZE_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(SuperblockLayout.MAGIC, SuperblockLayout.MAGIC_VALUE)
            .putInt(SuperblockLayout.VERSION, SuperblockLayout.FORMAT_VERSION)
            .putInt(SuperblockLayout.KIND, kind.code())
            .putLong(SuperblockLayout.ID_HIGH, id.getMostSignificantBits())
            .putLong(SuperblockLayout.ID_LOW, id.getLeastSignificantBits())
            .putLong(SuperblockLayout.GENERATION, generation)
            .putInt(SuperblockLayout.REGION_BYTES, geometry.regionBytes())
            .putInt(SuperblockLayout.REGIONS, geometry.regions())
            .putLong(SuperblockLayout.CREATED_MILLIS, createdMillis)
            .putLong(SuperblockLayout.OPENED_MILLIS, openedMillis);
    return bytes.putInt(SuperblockLayout.CHECKSUM, checksum(bytes.array())).array();
  }

  /** Reads what {@link #encode} wrote, or says why the bytes are not that. Never throws. */
  static Reading decode(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    if (file.length < SuperblockLayout.KIND) {
      return Reading.unusable("its superblock is cut off after " + file.length + " bytes");
    }
    if (bytes.getLong(SuperblockLayout.MAGIC) != SuperblockLayout.MAGIC_VALUE) {
      return Reading.unusable("its superblock is not one of this cache");
    }
    int version = bytes.getInt(SuperblockLayout.VERSION);
    if (version != SuperblockLayout.FORMAT_VERSION) {
      return Reading.unusable(
          "it is of format version "
              + version
              + ", and this program reads "
              + SuperblockLayout.FORMAT_VERSION);
    }
    if (file.length != SuperblockLayout.SIZE_BYTES) {
      return Reading.unusable(
          "its superblock has "
              + file.length
              + " bytes in place of "
              + SuperblockLayout.SIZE_BYTES);
    }
    if (bytes.getInt(SuperblockLayout.CHECKSUM) != checksum(file)) {
      return Reading.unusable("its superblock is damaged: the checksum is wrong");
    }
    return fields(bytes);
  }

  /** Checks the fields too: a right checksum does not prove that the writer was right. */
  private static Reading fields(ByteBuffer bytes) {
    Optional<DeviceKind> kind = DeviceKind.of(bytes.getInt(SuperblockLayout.KIND));
    int regionBytes = bytes.getInt(SuperblockLayout.REGION_BYTES);
    int regions = bytes.getInt(SuperblockLayout.REGIONS);
    long generation = bytes.getLong(SuperblockLayout.GENERATION);
    if (kind.isEmpty()
        || !DeviceGeometry.isRegionSize(regionBytes)
        || regions < 1
        || generation < 1) {
      return Reading.unusable(
          "its superblock is damaged: kind="
              + bytes.getInt(SuperblockLayout.KIND)
              + " regionBytes="
              + regionBytes
              + " regions="
              + regions
              + " generation="
              + generation);
    }
    return new Reading(
        Optional.of(
            new Superblock(
                kind.get(),
                new UUID(
                    bytes.getLong(SuperblockLayout.ID_HIGH),
                    bytes.getLong(SuperblockLayout.ID_LOW)),
                generation,
                new DeviceGeometry(regionBytes, regions),
                bytes.getLong(SuperblockLayout.CREATED_MILLIS),
                bytes.getLong(SuperblockLayout.OPENED_MILLIS))),
        "");
  }

  private static int checksum(byte[] file) {
    CRC32C crc = new CRC32C();
    crc.update(file, 0, SuperblockLayout.CHECKSUM);
    return (int) crc.getValue();
  }

  /**
   * What was found in place of a superblock.
   *
   * @param superblock the superblock, if it is usable
   * @param trouble why it is not, else empty
   */
  record Reading(Optional<Superblock> superblock, String trouble) {
    /** There is no such file. */
    static final Reading ABSENT = unusable("it has no superblock");

    boolean isAbsent() {
      return equals(ABSENT);
    }

    static Reading unusable(String trouble) {
      return new Reading(Optional.empty(), trouble);
    }
  }
}
