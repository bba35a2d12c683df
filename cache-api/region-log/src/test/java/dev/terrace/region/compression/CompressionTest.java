// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.compression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Payloads;
import dev.terrace.api.TestEffort;
import dev.terrace.region.format.StoredForm;
import dev.terrace.region.memory.ReadCopies;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompressionTest {

  private static final int BLOCK = 5_000;
  private static final byte GUARD = 0x5a;
  private static final int GUARD_BYTES = 256;

  private final ReadCopies copies = new ReadCopies(ByteBufAllocator.DEFAULT);
  private final SplittableRandom random = new SplittableRandom(17);

  @AfterEach
  void allCopiesAreFreed() {
    assertThat(copies.bytes()).isZero();
  }

  private BlockCompressor compressor(Compression compression) {
    return new BlockCompressor(compression, copies);
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
  }

  /** The body of a compressed block, without its size. */
  private byte[] compressed(Compression compression, byte[] block) {
    ReadCopy copy = compressor(compression).compress("file", direct(block));
    assertThat(StoredForm.compressedPlainBytes(copy.bytes(), block.length)).isEqualTo(block.length);
    ByteBuffer body = StoredForm.compressedBody(copy.bytes());
    byte[] bytes = new byte[body.remaining()];
    body.get(bytes);
    copy.free();
    return bytes;
  }

  private byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @EnumSource(names = {"LZ4", "ZSTD"})
  void givesTheBytesBack(Compression compression) {
    for (int length : new int[] {256, 257, 511, 4096, BLOCK, 65_536, 100_001}) {
      byte[] block = Payloads.of("file", length, length);
      byte[] compressed = compressed(compression, block);
      assertThat(compressed.length).isLessThan(length);
      ByteBuffer plain = ByteBuffer.allocateDirect(length);
      assertThat(Compression.decompress(compression.form(), direct(compressed), plain)).isTrue();
      assertThat(plain.flip()).isEqualTo(ByteBuffer.wrap(block));
    }
  }

  /** Bytes that no checksum protects: never an exception, nor a write out of bounds. */
  @ParameterizedTest
  @EnumSource(names = {"LZ4", "ZSTD"})
  void malformedBytesDoNoHarm(Compression compression) {
    byte[] right = compressed(compression, Payloads.of("file", 1, BLOCK));
    int failed = 0;
    int rounds = TestEffort.times(5_000);
    for (int i = 0; i < rounds; i++) {
      byte[] wrong = i % 10 == 0 ? randomBytes(1 + random.nextInt(500)) : right.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        wrong[random.nextInt(wrong.length)] = (byte) random.nextInt(256);
      }
      int length = i % 3 == 0 ? 1 + random.nextInt(wrong.length) : wrong.length;
      failed += isGuardedDecompression(compression, wrong, length) ? 0 : 1;
    }
    assertThat(failed).isGreaterThan(rounds / 10);
    // A failure leaves nothing behind that the next block meets.
    assertThat(isGuardedDecompression(compression, right, right.length)).isTrue();
  }

  private boolean isGuardedDecompression(Compression compression, byte[] bytes, int length) {
    ByteBuffer area = ByteBuffer.allocateDirect(BLOCK + 2 * GUARD_BYTES);
    while (area.hasRemaining()) {
      area.put(GUARD);
    }
    ByteBuffer plain = area.slice(GUARD_BYTES, BLOCK);
    boolean done = Compression.decompress(compression.form(), direct(bytes).limit(length), plain);
    for (int i = 0; i < GUARD_BYTES; i++) {
      assertThat(area.get(i)).isEqualTo(GUARD);
      assertThat(area.get(GUARD_BYTES + BLOCK + i)).isEqualTo(GUARD);
    }
    return done;
  }

  @Test
  void unknownFormsAreNotDecompressed() {
    byte[] right = compressed(Compression.LZ4, Payloads.of("file", 1, BLOCK));
    for (int form : new int[] {0, 1, 3, 6, 8, -1}) {
      ByteBuffer plain = ByteBuffer.allocateDirect(BLOCK);
      assertThat(Compression.decompress(form, direct(right), plain)).isFalse();
    }
    ByteBuffer other = ByteBuffer.allocateDirect(BLOCK + 1);
    assertThat(Compression.decompress(Compression.LZ4.form(), direct(right), other)).isFalse();
  }

  @Test
  void sizesOutOfBoundsAreNone() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(100);
    for (int size : new int[] {0, -1, Integer.MIN_VALUE, 100, 1_001, Integer.MAX_VALUE}) {
      StoredForm.writePlainBytes(bytes.clear(), size);
      assertThat(StoredForm.compressedPlainBytes(bytes.clear(), 1_000)).isZero();
    }
    StoredForm.writePlainBytes(bytes.clear(), 1_000);
    assertThat(StoredForm.compressedPlainBytes(bytes.clear(), 1_000)).isEqualTo(1_000);
    assertThat(StoredForm.compressedPlainBytes(bytes.limit(4), 1_000)).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"LZ4", "ZSTD"})
  void filesThatDoNotShrinkAreTriedNowAndThen(Compression compression) {
    BlockCompressor compressor = compressor(compression);
    int tried = 0;
    for (int i = 0; i < 8 + 320; i++) {
      if (compressor.isWorthTrying("random", BLOCK)) {
        tried++;
        assertThat(compressor.compress("random", direct(randomBytes(BLOCK)))).isNull();
      }
    }
    assertThat(tried).isEqualTo(8 + 10);
    assertThat(compressor.isWorthTrying("other", BLOCK)).isTrue();
    ReadCopy shrunk = compressor.compress("random", direct(Payloads.of("random", 1, BLOCK)));
    shrunk.free();
    assertThat(compressor.isWorthTrying("random", BLOCK)).isTrue();
    assertThat(compressor.isWorthTrying("other", 255)).as("a small block").isFalse();
    assertThat(compressor(Compression.NONE).isWorthTrying("other", BLOCK)).isFalse();
  }

  /** Seven eighths are random, and the rest is not. */
  @Test
  void lessThanAnEighthIsNotWorthIt() {
    byte[] block = randomBytes(8_000);
    byte[] shrinking = block.clone();
    Arrays.fill(block, 0, 900, (byte) 0);
    Arrays.fill(shrinking, 0, 1_200, (byte) 0);
    assertThat(compressor(Compression.LZ4).compress("file", direct(block))).isNull();
    compressor(Compression.LZ4).compress("file", direct(shrinking)).free();
  }
}
