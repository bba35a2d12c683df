// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the contents of a folder. */
class CacheFolderTest {

  private static final int REGION = DeviceGeometry.MIN_REGION_BYTES;
  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(REGION, 4);
  private static final byte[] MARK = {1, 2, 3, 4};

  @TempDir Path temporary;
  private Path path;
  private Path superblock;
  private Path regions;
  private long nowMillis = 1_000;

  @BeforeEach
  void names() {
    path = temporary.resolve("cache");
    superblock = path.resolve("terrace/superblock");
    regions = path.resolve("terrace/regions");
  }

  private CacheFolder open(DeviceKind kind, DeviceGeometry geometry) throws IOException {
    nowMillis += 10;
    return CacheFolder.open(
        Specs.of(path, kind, geometry),
        RegionsSpace.SPARSE,
        Clock.fixed(Instant.ofEpochMilli(nowMillis), ZoneOffset.UTC));
  }

  private CacheFolder open() throws IOException {
    return open(DeviceKind.SSD, GEOMETRY);
  }

  /** Makes a folder with something in its regions. */
  private UUID made() throws IOException {
    try (CacheFolder folder = open()) {
      byte[] bytes = new byte[(int) GEOMETRY.sizeBytes()];
      System.arraycopy(MARK, 0, bytes, 0, MARK.length);
      Files.write(regions, bytes);
      return folder.superblock().id();
    }
  }

  private void assertEmptied(CacheFolder folder, UUID before, String why) throws IOException {
    assertThat(folder.superblock().id()).isNotEqualTo(before);
    assertThat(folder.superblock().generation()).isEqualTo(1);
    assertThat(folder.note())
        .hasValueSatisfying(n -> assertThat(n).startsWith("started empty: ").contains(why));
    assertThat(Files.size(regions)).isEqualTo(folder.geometry().sizeBytes());
    assertThat(mark()).isEqualTo(new byte[MARK.length]);
  }

  private void assertKept(CacheFolder folder, UUID before) throws IOException {
    assertThat(folder.superblock().id()).isEqualTo(before);
    assertThat(folder.superblock().generation()).isEqualTo(2);
    assertThat(Files.size(regions)).isEqualTo(folder.geometry().sizeBytes());
    assertThat(mark()).isEqualTo(MARK);
  }

  private byte[] mark() throws IOException {
    try (var bytes = Files.newInputStream(regions)) {
      return bytes.readNBytes(MARK.length);
    }
  }

  @Test
  void makesWhatIsAbsent() throws IOException {
    try (CacheFolder folder = open()) {
      assertThat(folder.note()).isEmpty();
      assertThat(folder.superblock().generation()).isEqualTo(1);
      assertThat(folder.path()).isEqualTo(path);
      assertThat(folder.regionsFile()).isEqualTo(regions);
      assertThat(folder.geometry()).isEqualTo(GEOMETRY);
      assertThat(folder.superblock().createdMillis()).isEqualTo(nowMillis);
      assertThat(rights(path)).isEqualTo("rwx------");
      assertThat(rights(path.resolve("terrace"))).isEqualTo("rwx------");
      assertThat(rights(superblock)).isEqualTo("rw-------");
      assertThat(rights(regions)).isEqualTo("rw-------");
      assertThat(rights(path.resolve("terrace/lock"))).isEqualTo("rw-------");
      try (var files = Files.list(path.resolve("terrace"))) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .containsExactlyInAnyOrder("lock", "superblock", "regions", "evictions");
      }
    }
  }

  @Test
  void aRelativePathIsTakenToo() throws IOException {
    Path relative = Path.of("").toAbsolutePath().relativize(path.toAbsolutePath());
    try (CacheFolder folder =
        CacheFolder.open(
            Specs.of(relative, DeviceKind.SSD, GEOMETRY), RegionsSpace.SPARSE, Clock.systemUTC())) {
      assertThat(Files.isSameFile(folder.regionsFile(), regions)).isTrue();
    }
  }

  @Test
  void keepsWhatIsAsConfigured() throws IOException {
    UUID id = made();
    long createdMillis = nowMillis;
    try (CacheFolder folder = open()) {
      assertKept(folder, id);
      assertThat(folder.note()).isEmpty();
      assertThat(folder.superblock().createdMillis()).isEqualTo(createdMillis);
    }
    try (ReadOnlyDevice look = ReadOnlyDevice.open(path)) {
      assertThat(look.superblock().openedMillis()).isEqualTo(nowMillis);
    }
  }

  @Test
  void everyOpeningIsAGeneration() throws IOException {
    made();
    for (int generation = 2; generation < 10; generation++) {
      try (CacheFolder folder = open()) {
        assertThat(folder.superblock().generation()).isEqualTo(generation);
      }
    }
  }

  @Test
  void everyFolderHasItsOwnId() throws IOException {
    UUID first = made();
    path = temporary.resolve("second");
    try (CacheFolder folder = open()) {
      assertThat(folder.superblock().id()).isNotEqualTo(first);
    }
  }

  @Test
  void growsAndShrinks() throws IOException {
    UUID id = made();
    try (CacheFolder folder = open(DeviceKind.SSD, new DeviceGeometry(REGION, 9))) {
      assertKept(folder, id);
      assertThat(folder.note()).contains("kept: grown from 4 to 9 regions");
    }
    try (CacheFolder folder = open(DeviceKind.SSD, new DeviceGeometry(REGION, 1))) {
      assertThat(folder.superblock().id()).isEqualTo(id);
      assertThat(folder.note()).contains("kept: shrunk from 9 to 1 regions");
      assertThat(Files.size(regions)).isEqualTo(REGION);
    }
    try (CacheFolder folder = open(DeviceKind.SSD, new DeviceGeometry(REGION, 1))) {
      assertThat(folder.note()).isEmpty();
    }
  }

  @Test
  void aCopyIsKeptWithANoteAtItsFirstOpening() throws IOException {
    UUID id = made();
    Path original = path.resolve("terrace");
    Path copy = Files.createDirectories(temporary.resolve("copy").resolve("terrace"));
    try (Stream<Path> files = Files.list(original)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(original));
    try (CacheFolder folder = open()) {
      assertThat(folder.note()).isEmpty();
    }
    path = copy.getParent();
    try (CacheFolder folder = open()) {
      assertThat(folder.superblock().id()).isEqualTo(id);
      assertThat(folder.superblock().generation()).isEqualTo(2);
      assertThat(folder.note().orElseThrow()).startsWith("kept:").contains("another machine");
    }
    Path renamed = temporary.resolve("renamed");
    Files.move(path, renamed);
    path = renamed;
    try (CacheFolder folder = open()) {
      assertThat(folder.superblock().generation()).isEqualTo(3);
      assertThat(folder.note()).as("of a path that was renamed").isEmpty();
    }
  }

  @Test
  void aFileCutOffIsKept() throws IOException {
    UUID id = made();
    RegionsSpace.setLength(regions, REGION + 5);
    try (CacheFolder folder = open()) {
      assertKept(folder, id);
      assertThat(folder.note().orElseThrow()).contains("truncated to " + (REGION + 5));
    }
  }

  @Test
  void aFileThatIsTooLongIsCutOff() throws IOException {
    UUID id = made();
    RegionsSpace.setLength(regions, 7L * REGION);
    try (CacheFolder folder = open()) {
      assertKept(folder, id);
    }
  }

  @Test
  void startsEmptyForAnotherKind() throws IOException {
    UUID id = made();
    try (CacheFolder folder = open(DeviceKind.PMEM, GEOMETRY)) {
      assertEmptied(folder, id, "it was created for ssd, but is configured for pmem");
    }
  }

  @Test
  void startsEmptyForOtherContents() throws IOException {
    UUID id = made();
    CacheSpec packed = Specs.of(path, DeviceKind.SSD, GEOMETRY, "packed=true");
    try (CacheFolder folder = CacheFolder.open(packed, RegionsSpace.SPARSE, Clock.systemUTC())) {
      assertEmptied(folder, id, "its contents change from \"\" to \"packed=true\"");
      id = folder.superblock().id();
    }
    try (CacheFolder folder = CacheFolder.open(packed, RegionsSpace.SPARSE, Clock.systemUTC())) {
      assertThat(folder.superblock().id()).isEqualTo(id);
      assertThat(folder.note()).isEmpty();
    }
  }

  @Test
  void startsEmptyForRegionsOfAnotherSize() throws IOException {
    UUID id = made();
    try (CacheFolder folder = open(DeviceKind.SSD, new DeviceGeometry(2 * REGION, 2))) {
      assertEmptied(folder, id, "from 65536 to 131072 bytes");
    }
  }

  @Test
  void startsEmptyWithoutItsFiles() throws IOException {
    UUID id = made();
    Files.delete(superblock);
    try (CacheFolder folder = open()) {
      assertEmptied(folder, id, "no superblock");
    }
    Files.delete(regions);
    try (CacheFolder folder = open()) {
      assertEmptied(folder, id, "its regions file is missing");
    }
  }

  @Test
  void startsEmptyForOtherVersions() throws IOException {
    for (int version : new int[] {0, 1}) {
      UUID id = made();
      // Version 1 had 128 bytes.
      Files.write(superblock, Arrays.copyOf(ofVersion(version), version == 1 ? 128 : 4096));
      try (CacheFolder folder = open()) {
        assertEmptied(folder, id, "format version " + version);
      }
      Files.delete(superblock);
    }
  }

  private byte[] ofVersion(int version) throws IOException {
    byte[] bytes = Files.readAllBytes(superblock);
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(Superblock.FIRST_COPY + Superblock.VERSION, version);
    file.putInt(Superblock.SECOND_COPY + Superblock.VERSION, version);
    return bytes;
  }

  @Test
  void keepsWhatANewerVersionWrote() throws IOException {
    UUID id = made();
    byte[] before = Files.readAllBytes(superblock);
    byte[] newer = ofVersion(Superblock.FORMAT_VERSION + 1);
    // A newer superblock may be of another length.
    for (int length : new int[] {newer.length, 12, 100_000}) {
      byte[] file = Arrays.copyOf(newer, length);
      Files.write(superblock, file);
      Files.write(regions, new byte[] {1, 2, 3});
      String refusal =
          "was written by a newer Terrace (format version 3, and this one reads 2): run that"
              + " version, or delete "
              + path.resolve("terrace")
              + " to start empty";

      assertThatThrownBy(this::open)
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining(path.resolve("terrace") + " " + refusal);
      assertThatThrownBy(() -> CacheFolder.check(path)).hasMessageContaining(refusal);

      assertThat(superblock).hasBinaryContent(file);
      assertThat(regions).hasBinaryContent(new byte[] {1, 2, 3});
    }
    Files.write(superblock, before);
    try (CacheFolder folder = open()) {
      assertThat(folder.superblock().id()).as("back at the newer version").isEqualTo(id);
    }
  }

  /** One copy of a newer version, such as a flipped bit makes, is no newer cache. */
  @Test
  void keepsItsOwnBesideACopyOfANewerVersion() throws IOException {
    UUID id = made();
    byte[] bytes = Files.readAllBytes(superblock);
    bytes[Superblock.FIRST_COPY + Superblock.VERSION] ^= 4;
    Files.write(superblock, bytes);
    try (CacheFolder folder = open()) {
      assertThat(folder.superblock().id()).isEqualTo(id);
    }
  }

  @Test
  void startsEmptyForForeignFiles() throws IOException {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 20; round++) {
      UUID id = made();
      byte[] noise = new byte[round == 0 ? 0 : random.nextInt(10_000)];
      random.nextBytes(noise);
      Files.write(superblock, noise);
      try (CacheFolder folder = open()) {
        assertEmptied(folder, id, "its superblock");
      }
      Files.delete(superblock);
    }
  }

  @Test
  void noFlippedByteLosesAnything() throws IOException {
    UUID id = made();
    byte[] good = Files.readAllBytes(superblock);
    assertThat(good).hasSize(Superblock.FILE_BYTES);
    for (int position = 0; position < good.length; position++) {
      byte[] bytes = good.clone();
      bytes[position] ^= (byte) (1 << position % 8);
      Superblock found = Superblock.decode(bytes).superblock().orElseThrow();
      assertThat(found.id()).as("byte %d flipped", position).isEqualTo(id);
      assertThat(found.generation()).isEqualTo(1);
    }
    for (int position : new int[] {0, 8, 40, 508, 4096, 4136, 4604, 8192}) {
      byte[] bytes = good.clone();
      bytes[position] ^= 1;
      Files.write(superblock, bytes);
      try (CacheFolder folder = open()) {
        assertKept(folder, id);
      }
      try (CacheFolder folder = open()) {
        assertThat(folder.superblock().generation()).as("both copies were mended").isEqualTo(3);
      }
    }
  }

  @Test
  void twoTornCopiesStartItEmpty() throws IOException {
    UUID id = made();
    byte[] bytes = Files.readAllBytes(superblock);
    bytes[Superblock.FIRST_COPY + 100] ^= 1;
    bytes[Superblock.SECOND_COPY + 200] ^= 1;
    Files.write(superblock, bytes);
    try (CacheFolder folder = open()) {
      assertEmptied(folder, id, "its superblock is corrupt: checksum mismatch");
    }
  }

  @Test
  void aCutBehindTheFirstCopyLosesNothing() throws IOException {
    for (int length : new int[] {512, 4095, 4096, 4607, 4608, 8191, 8193, 12287}) {
      UUID id = made();
      Files.write(superblock, Arrays.copyOf(Files.readAllBytes(superblock), length));
      try (CacheFolder folder = open()) {
        assertKept(folder, id);
      }
      assertThat(superblock).hasSize(Superblock.FILE_BYTES);
      Files.delete(superblock);
    }
  }

  @Test
  void everyCutOfTheFirstCopyStartsItEmpty() throws IOException {
    for (int length = 0; length < Superblock.COPY_BYTES; length += 7) {
      UUID id = made();
      Files.write(superblock, Arrays.copyOf(Files.readAllBytes(superblock), length));
      try (CacheFolder folder = open()) {
        assertEmptied(folder, id, "superblock");
      }
      Files.delete(superblock);
    }
  }

  @Test
  void withoutSpaceItLeavesNothingBehind() throws IOException {
    RegionsSpace none =
        (file, sizeBytes) -> {
          throw new IOException("no space for " + sizeBytes);
        };
    CacheSpec spec = Specs.of(path, DeviceKind.SSD, GEOMETRY);
    assertThatThrownBy(() -> CacheFolder.open(spec, none, Clock.systemUTC()))
        .hasMessage("no space for " + GEOMETRY.sizeBytes());
    assertThat(regions).doesNotExist();
    assertThat(superblock).doesNotExist();
    UUID id = made();
    assertThatThrownBy(() -> CacheFolder.open(spec, none, Clock.systemUTC()))
        .isInstanceOf(IOException.class);
    try (CacheFolder folder = open()) {
      assertKept(folder, id);
    }
  }

  @Test
  void itGrowsAndShrinksWhileItIsOpen() throws IOException {
    UUID id = made();
    try (CacheFolder folder = open()) {
      folder.resize(7);
      assertThat(folder.geometry().regions()).isEqualTo(7);
      assertKept(folder, id);
      folder.resize(2);
      assertKept(folder, id);
      folder.resize(3);
      assertKept(folder, id);
    }
    try (CacheFolder folder = open(DeviceKind.SSD, new DeviceGeometry(REGION, 3))) {
      assertThat(folder.superblock().id()).isEqualTo(id);
      assertThat(folder.note()).as("nothing to adapt").isEmpty();
    }
  }

  @Test
  void aKillBetweenTheStepsOfAResizeLosesNothing() throws IOException {
    UUID id = made();
    byte[] before;
    byte[] after;
    try (CacheFolder folder = open()) {
      before = Files.readAllBytes(superblock);
      folder.resize(7);
      after = Files.readAllBytes(superblock);
    }
    byte[] half = after.clone();
    System.arraycopy(
        before, Superblock.SECOND_COPY, half, Superblock.SECOND_COPY, Superblock.COPY_BYTES);
    byte[] torn = before.clone();
    System.arraycopy(after, 0, torn, 0, Superblock.COPY_BYTES / 2);
    for (byte[] found : List.of(before, half, torn, after)) {
      for (int fileRegions : new int[] {4, 7}) {
        for (int wanted : new int[] {4, 7}) {
          Files.write(superblock, found);
          RegionsSpace.setLength(regions, (long) fileRegions * REGION);
          try (CacheFolder folder = open(DeviceKind.SSD, new DeviceGeometry(REGION, wanted))) {
            assertThat(folder.superblock().id()).isEqualTo(id);
            assertThat(Files.size(regions)).isEqualTo((long) wanted * REGION);
            assertThat(mark()).isEqualTo(MARK);
          }
        }
      }
    }
  }

  @Test
  void withoutSpaceAnOpenFolderKeepsItsSize() throws IOException {
    UUID id = made();
    RegionsSpace small =
        (file, sizeBytes) -> {
          if (sizeBytes > GEOMETRY.sizeBytes()) {
            throw new IOException("no space for " + sizeBytes);
          }
        };
    CacheSpec spec = Specs.of(path, DeviceKind.SSD, GEOMETRY);
    try (CacheFolder folder = CacheFolder.open(spec, small, Clock.systemUTC())) {
      assertThatThrownBy(() -> folder.resize(5)).hasMessage("no space for " + 5 * REGION);
      assertKept(folder, id);
    }
    try (CacheFolder folder = open()) {
      assertThat(folder.note()).isEmpty();
    }
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
