// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Payloads;
import dev.terrace.api.TierFault;
import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.format.StoredForm;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compressed blocks on memory and in files, encrypted or not. */
class CompressedBlocksTest extends TierOnSimulatedDisk {

  private static final String FILE = "file";

  private final byte[] key = BlockCipher.newKey();
  private NumberedBlocks blocks;

  /** What a test runs on. */
  record Way(boolean mapped, boolean encrypted, Compression compression) {

    int form() {
      return compression.form() | (encrypted ? StoredForm.ENCRYPTED : StoredForm.PLAIN);
    }
  }

  static Stream<Way> ways() {
    return Stream.of(true, false)
        .flatMap(
            mapped ->
                Stream.of(
                    new Way(mapped, false, Compression.LZ4),
                    new Way(mapped, false, Compression.ZSTD),
                    new Way(mapped, true, Compression.LZ4),
                    new Way(mapped, true, Compression.ZSTD)));
  }

  private void open(Way way, Compression compression) {
    make(
        new SimulatedDevice(disk, way.mapped, 1).encrypting(new BlockCipher(key)),
        RegionConfig.named("test", FILES)
            .withVerify(false)
            .withEncryptsAll(way.encrypted)
            .withCompression(compression));
    blocks = new NumberedBlocks(tier, FILE, BLOCK);
    tier.start();
  }

  private void open(Way way) {
    open(way, way.compression);
  }

  private List<StoredRecord> found() {
    return StoredRecord.all(disk, FILE);
  }

  private StoredRecord found(int number) {
    return StoredRecord.first(disk, FILE, number);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void blocksLieCompressedAndAreServed(Way way) {
    open(way);
    assertThat(tier.estimatedStoredBytes(BLOCK)).as("before the first one").isEqualTo(BLOCK);
    assertThat(blocks.putAll(0, 20)).isEqualTo(20);
    assertThat(blocks.readAll(0, 20)).isEqualTo(20);
    seal();
    assertThat(blocks.readAll(0, 20)).isEqualTo(20);
    assertThat(found())
        .hasSize(20)
        .allSatisfy(each -> assertThat(each.form()).isEqualTo(way.form()));
    long storedBytes = found().stream().mapToLong(each -> each.entry().payloadBytes()).sum();
    assertThat(storedBytes).isLessThan(20 * BLOCK * 2 / 3);
    assertThat(tier.stats().writes().putBytes()).isEqualTo(storedBytes);
    assertThat(tier.stats().space().payloadBytes()).isEqualTo(storedBytes);
    assertThat(tier.stats().writes().putPlainBytes()).isEqualTo(20 * BLOCK);
    assertThat((long) tier.estimatedStoredBytes(20 * BLOCK)).isEqualTo(storedBytes);
    assertThat(tier.estimatedPlainBytes(storedBytes)).isEqualTo(20 * BLOCK);
    ByteBuffer head = ByteBuffer.allocate(BLOCK);
    assertThat(tier.head(file(FILE), 7, head)).as("more than what is stored").isTrue();
    assertThat(head.array()).isEqualTo(Payloads.of(FILE, 7, BLOCK));
    assertThat(tier.head(file(FILE), 7, ByteBuffer.allocate(BLOCK + 1))).isFalse();
  }

  /** What is stored names its form, so the setting may change. */
  @ParameterizedTest
  @MethodSource("ways")
  void aRestartWithAnotherSettingServesThem(Way way) throws InterruptedException {
    open(way);
    blocks.putAll(0, 10);
    close();
    open(way, Compression.NONE);
    blocks.putAll(10, 20);
    close();
    open(way, way.compression == Compression.LZ4 ? Compression.ZSTD : Compression.LZ4);
    blocks.putAll(20, 30);
    assertThat(blocks.readAll(0, 30)).isEqualTo(30);
    seal();
    assertThat(found().stream().map(StoredRecord::form).distinct()).hasSize(3);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void whatBlocksShrankByIsKnownAfterARestart(Way way) throws InterruptedException {
    open(way);
    blocks.putAll(0, 20);
    seal();
    double ratio = tier.stats().writes().compressionRatio();
    assertThat(ratio).isGreaterThan(1.5);
    close();

    open(way);
    assertThat(tier.isRecovered()).isTrue();
    assertThat(tier.stats().writes().puts()).isZero();
    assertThat(tier.stats().writes().compressionRatio()).isEqualTo(ratio);
    assertThat(tier.estimatedStoredBytes(BLOCK)).isEqualTo((int) Math.ceil(BLOCK / ratio));
    assertThat(tier.estimatedPlainBytes(tier.stats().space().payloadBytes())).isEqualTo(20 * BLOCK);
    close();

    open(way, Compression.NONE);
    assertThat(tier.estimatedPlainBytes(1000)).isEqualTo(Math.round(1000 * ratio));
    assertThat(tier.estimatedStoredBytes(BLOCK)).as("no longer compressed").isEqualTo(BLOCK);
    assertThat(tier.stats().writes().compressionRatio()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void reclaimsMoveThemAsTheyAre(Way way) {
    open(way);
    blocks.putAll(0, 5);
    seal();
    byte[] before = found(3).payload();
    NumberedBlocks others = new NumberedBlocks(tier, "others", BLOCK);
    int put = 0;
    while (tier.stats().writes().rewrittenBytes() == 0 && put < 1_000) {
      tier.touch(file(FILE), 3);
      others.put(put++);
    }
    seal();
    assertThat(tier.stats().writes().rewrittenBytes()).isPositive();
    assertThat(blocks.read(3)).isTrue();
    assertThat(found().stream().filter(each -> each.entry().offset() == 3))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.payload()).isEqualTo(before))
        .allSatisfy(each -> assertThat(each.form()).isEqualTo(way.form()));
  }

  /** Also of a block that was verified before: no bit flips unseen at rest. */
  @ParameterizedTest
  @MethodSource("ways")
  void aFlippedBitIsAMiss(Way way) {
    open(way);
    blocks.putAll(0, 20);
    seal();
    assertThat(blocks.readAll(0, 20)).isEqualTo(20);
    SplittableRandom random = new SplittableRandom(way.hashCode());
    for (int i = 0; i < 20; i += 2) {
      StoredRecord victim = found(i);
      int at = victim.payloadAt() + random.nextInt(victim.entry().payloadBytes());
      victim.region().put(at, (byte) (victim.region().get(at) ^ 1 << random.nextInt(8)));
    }
    for (int i = 0; i < 20; i++) {
      assertThat(blocks.read(i)).as("block %d", i).isEqualTo(i % 2 == 1);
    }
    assertThat(blocks.count(TierFault.CORRUPT_BLOCK)).isEqualTo(10);
  }

  /** All checks are right, as only who reads the superblock can make them. */
  @ParameterizedTest
  @MethodSource("ways")
  void forgedSizesAndFormsAreMisses(Way way) throws InterruptedException {
    open(way);
    blocks.putAll(0, 6);
    close();
    for (int i = 0; i < 5; i++) {
      StoredRecord victim = found(i);
      byte[] payload = victim.payload();
      int form = way.form();
      switch (i) {
        case 0 -> payload[0]++;
        case 1 -> payload[3] = 0x7f;
        case 2 -> Arrays.fill(payload, 0, 4, (byte) 0);
        case 3 -> form ^= StoredForm.LZ4 | StoredForm.ZSTD;
        default -> form |= 64;
      }
      victim.forge(payload, form);
    }
    open(way);
    assertThat(blocks.readAll(0, 5)).isZero();
    assertThat(blocks.read(5)).isTrue();
    assertThat(blocks.count(TierFault.CORRUPT_BLOCK)).isEqualTo(5);
  }
}
