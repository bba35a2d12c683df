// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.format.Superblock.CacheSecret;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Compared with the test vectors of the authors. */
class SipHashTest {

  /** The key 00 01 02 ... 0f. */
  private static final CacheSecret KEY = new CacheSecret(0x0706050403020100L, 0x0F0E0D0C0B0A0908L);

  /** The hashes of the empty message, of 00, of 00 01, and so on. */
  private static final long[] HASHES = {
    0x726FDB47DD0E0E31L, 0x74F839C593DC67FDL, 0x0D6C8009D9A94F5AL, 0x85676696D7FB7E2DL,
    0xCF2794E0277187B7L, 0x18765564CD99A68DL, 0xCBC9466E58FEE3CEL, 0xAB0200F58B01D137L,
    0x93F5F5799A932462L, 0x9E0082DF0BA9E4B0L, 0x7A5DBBC594DDB9F3L, 0xF4B32F46226BADA7L,
    0x751E8FBC860EE5FBL, 0x14EA5627C0843D90L, 0xF723CA908E7AF2EEL, 0xA129CA6149BE45E5L,
    0x3F2ACC7F57C29BDBL, 0x699AE9F52CBE4794L, 0x4BC1B3F0968DD39CL, 0xBB6DC91DA77961BDL,
    0xBED65CF21AA2EE98L, 0xD0F2CBB02E3B67C7L, 0x93536795E3A33E88L, 0xA80C038CCD5CCEC8L,
    0xB8AD50C6F649AF94L
  };

  @Test
  void isTheOneOfTheAuthors() {
    ByteBuffer message = RecordLayout.littleEndian(ByteBuffer.allocate(64));
    for (int i = 0; i < message.capacity(); i++) {
      message.put(i, (byte) i);
    }
    for (int length = 0; length < HASHES.length; length++) {
      for (int words = 0; words <= Math.min(2, length / Long.BYTES); words++) {
        long first = message.getLong(0);
        long second = message.getLong(Long.BYTES);
        int from = words * Long.BYTES;
        assertThat(RegionEpoch.sipHash(KEY, words, first, second, message, from, length))
            .as("message of %d bytes, the first %d of them words", length, from)
            .isEqualTo(HASHES[length]);
      }
    }
  }
}
