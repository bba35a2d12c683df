// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.terrace.region.RegionTier;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class InspectAndVerifyTest {

  private static final int REGION_BYTES = CacheOnDisk.REGION_BYTES;

  /** Where a region's first record starts, and where its payload does with a name of 5 letters. */
  private static final int FIRST_RECORD = 64;

  private static final int FIRST_PAYLOAD = FIRST_RECORD + 64;

  @TempDir Path temporary;

  private final CommandRun terrace = new CommandRun();
  private CacheOnDisk cache;

  @BeforeEach
  void locate() {
    cache = new CacheOnDisk(temporary.resolve("cache"));
  }

  private Path path() {
    return cache.path();
  }

  private int inspect(Object... more) {
    return terrace.run("inspect", path(), more);
  }

  private int verify() {
    return terrace.run("inspect", path(), "--verify");
  }

  /** The region with the first block. */
  private int firstRegion() {
    assertThat(inspect()).isZero();
    Matcher oldest = Pattern.compile("oldest .* in region (\\d+) of").matcher(terrace.out());
    assertThat(oldest.find()).isTrue();
    return Integer.parseInt(oldest.group(1));
  }

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void tellsWhatIsInIt(DeviceKind kind) throws Exception {
    cache.make(kind);

    assertThat(inspect("--files", "2")).isZero();
    assertThat(terrace.out())
        .contains(
            kind + ", format version 2",
            "opened once",
            "2 MB: 32 regions of 64 KB",
            " sealed, 0 open, ",
            "60 (234.4 KB) in 3 files",
            "file0 @ 0, in region",
            "file2 @ 295000, in region",
            "file1      20  78.1 KB",
            "and 1 more (--files all)")
        .doesNotContain("Damaged places");
    assertThat(inspect("--files=all")).isZero();
    assertThat(terrace.out()).contains("\nfile2 ").doesNotContain("more (");

    assertThat(verify()).isZero();
    assertThat(terrace.out()).contains("60 blocks (234.4 KB) in", "of 32 regions: all right");
    assertThat(terrace.err()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void saysThatItIsEmpty(DeviceKind kind) throws Exception {
    CacheOnDisk.stop(cache.open(kind));
    assertThat(inspect()).isZero();
    assertThat(terrace.out()).contains("none, the cache is empty", "32 empty").doesNotContain("|");
    assertThat(verify()).isZero();
    assertThat(terrace.out()).contains("0 blocks (0 B) in 0 of 32 regions: the cache is empty");
  }

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void namesWhatIsDamaged(DeviceKind kind) throws Exception {
    cache.make(kind);
    int region = firstRegion();
    int footer = REGION_BYTES - 128;

    cache.flip(region, FIRST_PAYLOAD + 100);
    assertThat(verify()).isEqualTo(1);
    assertThat(terrace.out())
        .contains(
            "DAMAGED  region=" + region + " position=64 file=file0 offset=0: corrupt payload",
            "blocks intact: 59, places damaged: 1");
    cache.flip(region, FIRST_PAYLOAD + 100);

    assertFlipIsNamed(region, FIRST_RECORD + 24, "file=file0 offset=0: corrupt record header");
    assertFlipIsNamed(region, footer - 1, "region=" + region + " position=");
    assertThat(terrace.out()).contains("table");
    assertFlipIsNamed(
        region, footer + 8, "region=" + region + " position=" + footer + ": corrupt footer");
    assertFlipIsNamed(region, 40, "region=" + region + " position=0: corrupt header");
    assertThat(verify()).isZero();

    cache.flip(region, 40);
    assertThat(inspect()).isZero();
    assertThat(terrace.out()).contains("Damaged places: 1", "terrace inspect --verify");
  }

  private void assertFlipIsNamed(int region, int position, String expected) throws IOException {
    cache.flip(region, position);
    assertThat(verify()).isEqualTo(1);
    assertThat(terrace.out()).contains("DAMAGED  ", expected);
    cache.flip(region, position);
  }

  private void copyTo(Path folder) throws IOException {
    for (String name : new String[] {"superblock", "regions"}) {
      Files.copy(cache.file(name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Test
  void looksIntoACopyOfARunningCacheWithItsOpenRegion() throws Exception {
    RegionTier<byte[]> tier = cache.open(DeviceKind.PMEM);
    CacheOnDisk.fill(tier);
    Path copy = Files.createDirectory(temporary.resolve("copy"));
    // On a disk the open region is in a buffer at first.
    await()
        .untilAsserted(
            () -> {
              copyTo(copy);
              assertThat(terrace.run("inspect", copy)).isZero();
              assertThat(terrace.out())
                  .containsPattern(" [1-4] open, ")
                  .contains("60 (234.4 KB) in 3 files");
            });
    assertThat(terrace.run("inspect", copy, "--verify")).isZero();
    assertThat(terrace.out()).contains("60 blocks", "all right");

    for (String option : List.of("--files=1", "--verify")) {
      assertThat(terrace.run("inspect", path(), option)).isEqualTo(2);
      assertThat(terrace.err().lines())
          .singleElement()
          .asString()
          .contains("terrace inspect: path=" + path(), "in use");
    }
    CacheOnDisk.stop(tier);
    assertThat(verify()).isZero();
  }

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void aCutOffFileIsDamage(DeviceKind kind) throws Exception {
    cache.make(kind);
    try (RandomAccessFile file = new RandomAccessFile(cache.file("regions").toFile(), "rw")) {
      file.setLength(31L * REGION_BYTES + 5);
    }
    assertThat(verify()).isEqualTo(1);
    assertThat(terrace.out()).contains("DAMAGED  region=31 position=0: unreadable");
    assertThat(inspect()).isZero();
    assertThat(terrace.out()).contains("but the regions file has 2,031,621 bytes");
  }

  @Test
  void refusesWhatIsNoCache() throws IOException {
    assertThat(verify()).isEqualTo(2);
    assertThat(terrace.err().lines()).singleElement().asString().contains("is not a directory");
    Files.createDirectories(path());
    assertThat(inspect()).isEqualTo(2);
    assertThat(terrace.err().lines()).singleElement().asString().contains("has no cache");
    Files.writeString(path().resolve("file"), "text");
    assertThat(terrace.run("inspect", path().resolve("file"), "--verify")).isEqualTo(2);
    assertThat(terrace.err().lines()).singleElement().asString().contains("is not a directory");
    assertThat(terrace.run("inspect", path(), "--max-damaged", "-1", "--verify")).isEqualTo(2);
    assertThat(terrace.err()).contains("'-1' must be a number or all");
    assertThat(terrace.run("inspect", path(), "--files", "-1")).isEqualTo(2);
    assertThat(terrace.err().lines())
        .singleElement()
        .asString()
        .contains("must be a number or all");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "terrace", "terrace/regions"})
  void whatMayNotBeReadIsDenied(String denied) throws Exception {
    cache.make(DeviceKind.SSD);
    Path file = path().resolve(denied);
    Set<PosixFilePermission> before = Files.getPosixFilePermissions(file);
    Files.setPosixFilePermissions(file, Set.of());
    try {
      assumeFalse(Files.isReadable(file), "root can read everything");
      for (String option : List.of("--files=1", "--verify")) {
        assertThat(terrace.run("inspect", path(), option)).isEqualTo(2);
        assertThat(terrace.err()).contains("path=" + path(), "permission denied");
      }
    } finally {
      Files.setPosixFilePermissions(file, before);
    }
  }

  @Test
  void anotherFormatIsNoDamage() throws Exception {
    cache.make(DeviceKind.SSD);
    Path superblock = cache.file("superblock");
    byte[] bytes = Files.readAllBytes(superblock);
    bytes[Superblock.VERSION]++;
    bytes[Superblock.SECOND_COPY + Superblock.VERSION]++;
    Files.write(superblock, bytes);
    assertThat(verify()).isEqualTo(3);
    assertThat(terrace.err()).contains("it is of format version ");
    assertThat(terrace.run("inspect", path())).isEqualTo(3);
  }

  @Test
  void aDamagedSuperblockIsDamage() throws Exception {
    cache.make(DeviceKind.SSD);
    Path superblock = cache.file("superblock");
    byte[] bytes = Files.readAllBytes(superblock);
    bytes[50] ^= 1;
    bytes[4096 + 50] ^= 1;
    Files.write(superblock, bytes);
    assertThat(verify()).isEqualTo(1);
    assertThat(terrace.err().lines())
        .singleElement()
        .asString()
        .contains("its superblock is corrupt");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4096})
  void oneDamagedCopyOfTheSuperblockIsDamage(int copy) throws Exception {
    cache.make(DeviceKind.SSD);
    Path superblock = cache.file("superblock");
    byte[] bytes = Files.readAllBytes(superblock);
    bytes[copy + 50] ^= 1;
    Files.write(superblock, bytes);
    assertThat(verify()).isEqualTo(1);
    assertThat(terrace.out())
        .contains("DAMAGED  superblock: one of two copies", "all blocks are intact");
    assertThat(inspect()).isZero();
  }
}
