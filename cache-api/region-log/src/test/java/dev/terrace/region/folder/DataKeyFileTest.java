// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.StoredForm;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data key of a folder, over openings. */
class DataKeyFileTest {

  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(64 << 10, 16);
  private static final BlockCipher.Identity BLOCK =
      new BlockCipher.Identity("file", 7, StoredForm.ENCRYPTED, 0, 1);

  @TempDir Path path;

  private CacheFolder open(KeyWrapper keys) throws IOException {
    CacheSpec spec =
        new CacheSpec(path, DeviceKind.SSD, GEOMETRY, "contents", Optional.ofNullable(keys));
    return CacheFolder.open(spec, RegionsSpace.SPARSE, Clock.systemUTC());
  }

  private Path key() {
    return path.resolve("terrace/key");
  }

  private static ByteBuffer sealed(CacheFolder folder) {
    ByteBuffer sealed = ByteBuffer.allocate(100 + StoredForm.ENCRYPTION_BYTES);
    folder.cipher().seal(BLOCK, ByteBuffer.allocate(100), sealed, 1);
    return sealed.flip();
  }

  private static boolean opens(CacheFolder folder, ByteBuffer sealed) {
    return folder.cipher().open(BLOCK, sealed, ByteBuffer.allocate(100));
  }

  @Test
  void isKeptOverOpenings() throws IOException {
    ByteBuffer sealed;
    try (CacheFolder folder = open(new TestMasterKey(1, true))) {
      sealed = sealed(folder);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key())))
          .isEqualTo("rw-------");
    }
    try (CacheFolder folder = open(new TestMasterKey(1, true))) {
      assertThat(folder.note()).isEmpty();
      assertThat(folder.superblock().generation()).isEqualTo(2);
      assertThat(opens(folder, sealed)).isTrue();
    }
  }

  @Test
  void anotherMasterKeyStartsEmpty() throws IOException {
    ByteBuffer sealed;
    try (CacheFolder folder = open(new TestMasterKey(1, true))) {
      sealed = sealed(folder);
    }
    try (CacheFolder folder = open(new TestMasterKey(2, true))) {
      assertThat(folder.note().orElseThrow())
          .startsWith("started empty: its data key cannot be unwrapped");
      assertThat(folder.superblock().generation()).isOne();
      assertThat(opens(folder, sealed)).isFalse();
      assertThat(opens(folder, sealed(folder))).isTrue();
    }
  }

  @Test
  void aDamagedOrAbsentKeyStartsEmpty() throws IOException {
    open(new TestMasterKey(1, true)).close();
    Files.write(key(), new byte[0]);
    try (CacheFolder folder = open(new TestMasterKey(1, true))) {
      assertThat(folder.note().orElseThrow()).startsWith("started empty: its data key cannot");
    }
    Files.delete(key());
    try (CacheFolder folder = open(new TestMasterKey(1, true))) {
      assertThat(folder.note()).contains("started empty: it has no data key");
    }
  }

  @Test
  void withoutAMasterKeyItFailsAndKeepsTheContents() throws IOException {
    open(new TestMasterKey(1, true)).close();
    assertThatExceptionOfType(UnusablePathException.class)
        .isThrownBy(() -> open(new TestMasterKey(1, false)))
        .withMessageContaining("its data key was not created (no master key)");
    try (CacheFolder folder = open(new TestMasterKey(1, true))) {
      assertThat(folder.note()).isEmpty();
      assertThat(folder.superblock().generation()).isEqualTo(2);
    }
  }

  @Test
  void aFolderThatNeedsNoneHasNone() throws IOException {
    try (CacheFolder folder = open(null)) {
      assertThat(folder.cipher()).isNull();
      assertThat(key()).doesNotExist();
    }
  }
}
