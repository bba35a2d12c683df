// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.format.Superblock.CacheSecret;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SuperblockTest {

  private static final int KIND = 12;
  private static final int GENERATION = 32;
  private static final int REGION_BYTES = 40;
  private static final int REGIONS = 44;
  private static final int CONTENTS_BYTES = 80;
  private static final int CONTENTS = 82;
  private static final int CHECKSUM = 508;

  private static final Superblock SUPERBLOCK =
      new Superblock(
          DeviceKind.SSD,
          new UUID(0x1122334455667788L, 0x99AABBCCDDEEFF00L),
          new CacheSecret(0x0102030405060708L, 0x090A0B0C0D0E0F10L),
          7,
          new DeviceGeometry(16 << 20, 640),
          "packed=\u00e4",
          1_700_000_000_000L,
          1_800_000_000_000L,
          0x0A0B0C0D);

  @Test
  void hasTheBytesThatTheFormatSays() {
    String body =
        "544552524143450a" // TERRACE, line feed
            + "02000000" // version
            + "02000000" // kind
            + "8877665544332211"
            + "00ffeeddccbbaa99"
            + "0700000000000000"
            + "00000001"
            + "80020000"
            + "0068e5cf8b010000"
            + "00505c18a3010000"
            + "0807060504030201" // secret
            + "100f0e0d0c0b0a09"
            + "0900" // bytes of the contents
            + "7061636b65643dc3a4" // packed=, and a letter of two bytes
            + "00".repeat(504 - 91)
            + "0d0c0b0a"; // place
    byte[] bytes = HexFormat.of().parseHex(body);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    byte[] expected = Arrays.copyOf(bytes, 512);
    ByteBuffer.wrap(expected).order(ByteOrder.LITTLE_ENDIAN).putInt(508, (int) crc.getValue());
    assertThat(SUPERBLOCK.encode()).isEqualTo(expected);
  }

  @Test
  void readsWhatItWrote() {
    Superblock.Reading reading = Superblock.decodeCopy(SUPERBLOCK.encode());
    assertThat(reading.superblock()).contains(SUPERBLOCK);
    assertThat(reading.fault()).isEmpty();
  }

  @Test
  void ofTwoCopiesTheOneThatWasWrittenLastCounts() {
    Superblock next = SUPERBLOCK.next(SUPERBLOCK.geometry(), 1_900_000_000_000L, 0);
    assertThat(next.generation()).isEqualTo(8);
    assertThat(decode(SUPERBLOCK.encode(), SUPERBLOCK.encode())).isEqualTo(SUPERBLOCK);
    assertThat(decode(next.encode(), SUPERBLOCK.encode())).isEqualTo(next);
    assertThat(decode(SUPERBLOCK.encode(), next.encode())).isEqualTo(next);
    assertThat(decode(new byte[512], SUPERBLOCK.encode())).isEqualTo(SUPERBLOCK);
    assertThat(decode(SUPERBLOCK.encode(), new byte[512])).isEqualTo(SUPERBLOCK);
  }

  private static Superblock decode(byte[] first, byte[] second) {
    byte[] file = Arrays.copyOf(first, Superblock.FILE_BYTES);
    System.arraycopy(second, 0, file, Superblock.SECOND_COPY, second.length);
    return Superblock.decode(file).superblock().orElseThrow();
  }

  @Test
  void theSecretStaysOutOfLogs() {
    assertThat(SUPERBLOCK.toString()).contains("secret=secret");
  }

  @Test
  void noDamagedByteIsReadAsASuperblock() {
    byte[] good = SUPERBLOCK.encode();
    for (int position = 0; position < good.length; position++) {
      for (int flip = 1; flip < 256; flip++) {
        byte[] bad = good.clone();
        bad[position] ^= (byte) flip;
        Superblock.Reading reading = Superblock.decodeCopy(bad);
        assertThat(reading.superblock()).as("byte %d flipped by %d", position, flip).isEmpty();
        assertThat(reading.fault()).isNotEmpty();
      }
    }
  }

  @Test
  void noOtherLengthIsReadAsASuperblock() {
    byte[] good = SUPERBLOCK.encode();
    for (int length = 0; length <= 4096; length++) {
      if (length != good.length) {
        assertThat(Superblock.decodeCopy(Arrays.copyOf(good, length)).superblock())
            .as("length %d", length)
            .isEmpty();
      }
    }
  }

  @Test
  void fieldsAreCheckedThoughTheChecksumIsRight() {
    assertThat(withInt(KIND, 3)).contains("kind=3");
    assertThat(withInt(REGION_BYTES, 65535)).contains("regionBytes=65535");
    assertThat(withInt(REGION_BYTES, 1 << 31)).contains("regionBytes=-");
    assertThat(withInt(REGIONS, 0)).contains("regions=0");
    assertThat(withInt(REGIONS, -1)).contains("regions=-1");
    assertThat(withInt(GENERATION + 4, -1)).contains("generation=-");
    assertThat(withInt(GENERATION, (1 << 23) - 1)).contains("generation=8388607");
    assertThat(withInt(CONTENTS_BYTES, 0xFFFF)).contains("contentsBytes=-1");
    assertThat(withInt(CONTENTS_BYTES, 257)).contains("contentsBytes=257");
    assertThat(withInt(CONTENTS, 0xFFFF)).contains("contents are not UTF-8");
  }

  @Test
  void saysWhichVersionItFound() {
    assertThat(withInt(Superblock.VERSION, 1)).contains("format version 1");
    assertThat(withInt(Superblock.VERSION, 0)).contains("format version 0");
  }

  private static String withInt(int position, int value) {
    byte[] bytes = SUPERBLOCK.encode();
    ByteBuffer fields = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    fields.putInt(position, value);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CHECKSUM);
    fields.putInt(CHECKSUM, (int) crc.getValue());
    Superblock.Reading reading = Superblock.decodeCopy(bytes);
    assertThat(reading.superblock()).isEmpty();
    return reading.fault();
  }
}
