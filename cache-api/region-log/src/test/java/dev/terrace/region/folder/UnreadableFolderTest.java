// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.folder.ReadOnlyDevice.UnreadableCacheException;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder whose contents are there, and cannot be read at an opening, is kept as it is. */
class UnreadableFolderTest {

  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(64 << 10, 16);
  private static final byte[] MARK = {1, 2, 3, 4};
  private static final TestMasterKey MASTER_KEY = new TestMasterKey(1, true);

  @TempDir Path path;
  private UUID id;

  private CacheFolder open(KeyWrapper keys) throws IOException {
    CacheSpec spec = new CacheSpec(path, DeviceKind.SSD, GEOMETRY, "contents", Optional.of(keys));
    return CacheFolder.open(spec, RegionsSpace.SPARSE, Clock.systemUTC());
  }

  private Path file(String name) {
    return path.resolve("terrace").resolve(name);
  }

  @BeforeEach
  void make() throws IOException {
    try (CacheFolder folder = open(MASTER_KEY)) {
      id = folder.superblock().id();
    }
    byte[] regions = new byte[(int) GEOMETRY.sizeBytes()];
    System.arraycopy(MARK, 0, regions, 0, MARK.length);
    Files.write(file("regions"), regions);
  }

  private void assertIsKept() throws IOException {
    assertThat(Files.readAllBytes(file("regions"))).startsWith(MARK);
    try (CacheFolder folder = open(MASTER_KEY)) {
      assertThat(folder.note()).isEmpty();
      assertThat(folder.superblock().id()).isEqualTo(id);
      assertThat(folder.superblock().generation()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"superblock", "key"})
  void aFileThatCannotBeRead(String name) throws IOException {
    try (SmallDisk covered = SmallDisk.unreadable(file(name))) {
      assertThatExceptionOfType(UnusablePathException.class)
          .isThrownBy(() -> open(MASTER_KEY))
          .withMessageContaining("path=" + covered.directory() + " cannot be read now")
          .withMessageContaining("is kept");
    }
    assertIsKept();
  }

  @Test
  void aSuperblockThatCannotBeReadIsNotTakenForADamagedOne() throws IOException {
    try (SmallDisk covered = SmallDisk.unreadable(file("superblock"))) {
      assertThatExceptionOfType(UnusablePathException.class)
          .isThrownBy(() -> ReadOnlyDevice.open(path))
          .isNotInstanceOf(UnreadableCacheException.class)
          .withMessageContaining(covered.directory() + " cannot be read now");
    }
  }

  /** A master key that cannot be had for so many keys to be unwrapped. */
  private static KeyWrapper failing(int times) {
    return new KeyWrapper() {
      private int asked;

      @Override
      public byte[] wrap(byte[] dataKey) throws GeneralSecurityException {
        return MASTER_KEY.wrap(dataKey);
      }

      @Override
      public byte[] unwrap(byte[] wrapped) throws GeneralSecurityException {
        if (asked++ < times) {
          throw new InvalidKeyException("cannot be reached");
        }
        return MASTER_KEY.unwrap(wrapped);
      }
    };
  }

  @Test
  void aMasterKeyThatCannotBeHadForAMoment() throws IOException {
    try (CacheFolder folder = open(failing(1))) {
      assertThat(folder.note()).isEmpty();
      assertThat(folder.superblock().id()).isEqualTo(id);
    }
  }

  @Test
  void aMasterKeyThatCannotBeHad() throws IOException {
    assertThatExceptionOfType(UnusablePathException.class)
        .isThrownBy(() -> open(failing(Integer.MAX_VALUE)))
        .withMessageContaining("its data key was not created (cannot be reached)");
    assertIsKept();
  }
}
