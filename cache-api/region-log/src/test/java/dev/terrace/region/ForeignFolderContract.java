// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TestFiles;
import dev.terrace.api.TierFault;
import dev.terrace.api.TierStats;
import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.TestMasterKey;
import dev.terrace.region.format.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of another cache, and forged superblocks, in the folder of a cache. Both caches have the
 * same blocks' names, with other bytes.
 */
public abstract class ForeignFolderContract {

  protected static final int REGIONS = 16;
  protected static final int REGION_BYTES = 64 << 10;
  private static final int BLOCKS = 300;
  private static final int MINE = 0;
  private static final int FOREIGN = 1000;
  private static final KeyWrapper MASTER = new TestMasterKey(1, true);

  @TempDir Path temporary;
  private Path mine;
  private Path foreign;

  /** A device of {@link #REGIONS} times {@link #REGION_BYTES}, with data keys if there are any. */
  protected abstract List<Device> devices(Path path, Optional<KeyWrapper> keys) throws IOException;

  private RegionTier<byte[]> open(Path path, Optional<KeyWrapper> keys) throws IOException {
    RegionTier<byte[]> tier =
        new RegionTier<>(
            new ForgedBytes.Codec(),
            devices(path, keys),
            RegionConfig.named("test", FILES).withEncryptsAll(keys.isPresent()),
            any -> Runnable::run,
            System::nanoTime);
    tier.start();
    assertThat(tier.isRecovered()).isTrue();
    return tier;
  }

  private static void close(RegionTier<byte[]> tier) throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
  }

  private void fill(Path path, int variant, Optional<KeyWrapper> keys) throws Exception {
    RegionTier<byte[]> tier = open(path, keys);
    for (int i = 0; i < BLOCKS; i++) {
      byte[] block = ForgedBytes.genuine(i + variant);
      assertThat(tier.put(TestFiles.file(ForgedBytes.file(i)), 0, block, ForgedBytes.TRAITS, 0))
          .isEqualTo(PutOutcome.STORED);
    }
    close(tier);
  }

  private void fillBoth(Optional<KeyWrapper> keys) throws Exception {
    fill(mine, MINE, keys);
    fill(foreign, FOREIGN, keys);
  }

  @BeforeEach
  void names() {
    mine = temporary.resolve("mine");
    foreign = temporary.resolve("foreign");
  }

  private static Path file(Path path, String name) {
    return path.resolve("terrace").resolve(name);
  }

  private void copyForeign(String... names) throws IOException {
    for (String name : names) {
      Files.copy(file(foreign, name), file(mine, name), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Opens the cache; returns how many blocks it serves. All of them must be of one variant. */
  private int served(int variant, Optional<KeyWrapper> keys, TierFault... faults) throws Exception {
    RegionTier<byte[]> tier = open(mine, keys);
    int served = 0;
    for (int i = 0; i < BLOCKS; i++) {
      byte[] block = tier.get(TestFiles.file(ForgedBytes.file(i)), 0, Access.CACHING);
      if (block != null) {
        assertThat(block).isEqualTo(ForgedBytes.genuine(i + variant));
        served++;
      }
    }
    TierStats stats = tier.stats();
    assertThat(stats.events().faults().keySet()).containsExactlyInAnyOrder(faults);
    assertThat(stats.space().blocks()).isEqualTo(served);
    for (int i = 0; i < BLOCKS; i++) {
      byte[] block = ForgedBytes.genuine(i + MINE);
      tier.put(TestFiles.file(ForgedBytes.file(i)), 0, block, ForgedBytes.TRAITS, 0);
      if (served == 0) {
        assertThat(tier.get(TestFiles.file(ForgedBytes.file(i)), 0, Access.CACHING))
            .isEqualTo(block);
      }
    }
    close(tier);
    return served;
  }

  @Test
  void ownFilesAreServed() throws Exception {
    fillBoth(Optional.empty());
    assertThat(served(MINE, Optional.empty())).isEqualTo(BLOCKS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"regions", "superblock"})
  void aForeignFileIsNotBelieved(String name) throws Exception {
    fillBoth(Optional.empty());
    copyForeign(name);
    assertThat(served(MINE, Optional.empty(), TierFault.CORRUPT_REGION)).isZero();
  }

  @Test
  void foreignRegionsBesideOwnOnesAreNotBelieved() throws Exception {
    fillBoth(Optional.empty());
    try (FileChannel from = FileChannel.open(file(foreign, "regions"), StandardOpenOption.READ);
        FileChannel to = FileChannel.open(file(mine, "regions"), StandardOpenOption.WRITE)) {
      for (int region = 0; region < REGIONS; region += 2) {
        to.position((long) region * REGION_BYTES);
        assertThat(from.transferTo(to.position(), REGION_BYTES, to)).isEqualTo(REGION_BYTES);
      }
    }
    assertThat(served(MINE, Optional.empty(), TierFault.CORRUPT_REGION)).isBetween(50, BLOCKS - 50);
  }

  @Test
  void ownRegionsInOtherPlacesAreNotBelieved() throws Exception {
    fill(mine, MINE, Optional.empty());
    byte[] regions = Files.readAllBytes(file(mine, "regions"));
    try (FileChannel to = FileChannel.open(file(mine, "regions"), StandardOpenOption.WRITE)) {
      int rest = regions.length - REGION_BYTES;
      to.write(ByteBuffer.wrap(regions, 0, rest), REGION_BYTES);
      to.write(ByteBuffer.wrap(regions, rest, REGION_BYTES), 0);
    }
    assertThat(served(MINE, Optional.empty(), TierFault.CORRUPT_REGION)).isZero();
  }

  /** All that makes a folder another cache: it is that cache. */
  @Test
  void aWholeFolderIsTheOtherCache() throws Exception {
    fillBoth(Optional.empty());
    copyForeign("regions", "superblock");
    assertThat(served(FOREIGN, Optional.empty())).isEqualTo(BLOCKS);
  }

  @Test
  void aForeignDataKeyOpensNoBlock() throws Exception {
    fillBoth(Optional.of(MASTER));
    copyForeign("key");
    assertThat(served(MINE, Optional.of(MASTER), TierFault.CORRUPT_BLOCK)).isZero();
  }

  @Test
  void aFolderUnderAnotherMasterKeyStartsEmpty() throws Exception {
    fill(mine, MINE, Optional.of(MASTER));
    fill(foreign, FOREIGN, Optional.of(new TestMasterKey(2, true)));
    copyForeign("regions", "superblock", "key");
    assertThat(served(MINE, Optional.of(MASTER))).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 23, 1L << 24, 1L << 40, Long.MAX_VALUE - 1, Long.MAX_VALUE})
  void aForgedGenerationStartsItEmpty(long generation) throws Exception {
    fill(mine, MINE, Optional.empty());
    Path superblock = file(mine, "superblock");
    byte[] bytes = Files.readAllBytes(superblock);
    ByteBuffer fields = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int copy : new int[] {Superblock.FIRST_COPY, Superblock.SECOND_COPY}) {
      fields.putLong(copy + 32, generation);
      CRC32C crc = new CRC32C();
      crc.update(bytes, copy, Superblock.COPY_BYTES - Integer.BYTES);
      fields.putInt(copy + Superblock.COPY_BYTES - Integer.BYTES, (int) crc.getValue());
    }
    Files.write(superblock, bytes);
    assertThat(served(MINE, Optional.empty())).isZero();
    assertThat(served(MINE, Optional.empty())).as("after the next start").isEqualTo(BLOCKS);
  }
}
