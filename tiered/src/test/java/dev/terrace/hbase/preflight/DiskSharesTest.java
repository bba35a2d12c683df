// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Patience;
import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.region.folder.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are not mounted, or too small. Those of a size of their own need root. */
class DiskSharesTest {

  private static final long DISK_BYTES = 64L << 20;

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @RegisterExtension final LogLines log = new LogLines(SettingsException.class);
  @TempDir Path folder;

  private static String[] tier(String tier, String size, Path... paths) {
    return new String[] {
      "hbase.terrace.create.paths",
      "false",
      "hbase.terrace." + tier + ".paths",
      String.join(",", Arrays.stream(paths).map(Path::toString).toList()),
      "hbase.terrace." + tier + ".size",
      size
    };
  }

  private static void check(String... keysAndValues) {
    OpenCaches.check(keysAndValues);
  }

  /** Opens a cache, and closes it when its files are written. */
  private void openAndClose(String... keysAndValues) throws InterruptedException {
    TieredBlockCache cache = caches.openAt(System::nanoTime, keysAndValues);
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
  }

  @Test
  void aPathThatIsAbsentIsAnErrorAndIsNotMade() throws Exception {
    Path mounted = Files.createDirectory(folder.resolve("mounted"));
    Path unmounted = folder.resolve("unmounted");
    String[] settings = tier("ssd", "32m", mounted, unmounted);

    assertThatThrownBy(() -> openAndClose(settings))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "hbase.terrace.ssd.paths names "
                + unmounted
                + ", which does not exist: mount its disk or create the directory; with"
                + " hbase.terrace.create.paths=true Terrace creates it if its parent exists");

    assertThat(unmounted).doesNotExist();
    assertThat(mounted).as("of the others nothing is touched").isEmptyDirectory();
    assertThat(log.lines()).singleElement().asString().contains(unmounted.toString());
  }

  @Test
  void aPathThatIsAbsentIsMadeIfThatIsWanted() throws Exception {
    Path absent = folder.resolve("absent");
    String[] settings = tier("pmem", "16m", absent);
    settings[1] = "true";

    openAndClose(settings);

    assertThat(absent.resolve("terrace/regions")).hasSize(16 << 20);
  }

  @Test
  void aShareThatIsLargerThanTheDiskIsAnErrorThatTellsWhatFits() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_BYTES)) {
      Path path = disk.directory();
      assertThatThrownBy(() -> check(tier("ssd", "72m", path)))
          .isInstanceOf(SettingsException.class)
          .hasMessageStartingWith("hbase.terrace.ssd.size=72m is too large for " + path)
          .hasMessageContaining("72 MB are needed there, in " + path + ", but only 64 MB fit")
          .hasMessageEndingWith("set hbase.terrace.ssd.size to 64m at most");
      openAndClose(tier("ssd", "64m", path));
      Path other = Files.createDirectory(path.resolve("other"));
      Files.write(path.resolve("ballast"), new byte[24 << 20]);
      assertThatThrownBy(() -> check(tier("pmem", "48m", other)))
          .hasMessageFindingMatch("set hbase.terrace.pmem.size to (39|40)m at most$");
    }
  }

  @Test
  void pathsOnOneFileSystemAreAddedUp() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_BYTES)) {
      Path a = Files.createDirectory(disk.directory().resolve("a"));
      Path b = Files.createDirectory(disk.directory().resolve("b"));
      Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
      assertThatThrownBy(() -> check(tier("ssd", "120m", a, b, elsewhere)))
          .hasMessageContaining("80 MB are needed there, in " + a + ", " + b)
          .hasMessageEndingWith("set hbase.terrace.ssd.size to 96m at most");
      assertThatCode(() -> check(tier("ssd", "96m", a, b, elsewhere))).doesNotThrowAnyException();
    }
  }

  @Test
  void tiersOnOneFileSystemAreAddedUp() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_BYTES)) {
      Path a = Files.createDirectory(disk.directory().resolve("a"));
      Path b = Files.createDirectory(disk.directory().resolve("b"));
      String[] pmem = tier("pmem", "40m", a);
      String[] both = Arrays.copyOf(pmem, pmem.length + 4);
      System.arraycopy(tier("ssd", "40m", b), 2, both, pmem.length, 4);
      assertThatThrownBy(() -> check(both))
          .hasMessageStartingWith(
              "hbase.terrace.pmem.size=40m and hbase.terrace.ssd.size=40m are too large")
          .hasMessageContaining("80 MB are needed there, in " + a + ", " + b)
          .hasMessageEndingWith("make both smaller until they fit");
    }
  }

  /** Of a tier that grows, what it has counts as its own; of an SSD's file only what is taken. */
  @Test
  void whatATierHasAlreadyIsItsOwn() throws Exception {
    for (String tier : new String[] {"pmem", "ssd"}) {
      try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_BYTES)) {
        Path path = disk.directory();
        openAndClose(tier(tier, "40m", path));
        assertThatCode(() -> check(tier(tier, "60m", path))).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(tier(tier, "80m", path)))
            .hasMessageFindingMatch("set hbase.terrace." + tier + ".size to 6[34]m at most$");
        assertThatCode(() -> check(tier(tier, "30m", path))).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void aDiskWithoutALimitIsNotMeasured() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "tmpfs", "size=0")) {
      assertThat(Files.getFileStore(disk.directory()).getTotalSpace()).isZero();
      assertThatCode(() -> check(tier("ssd", "2t", disk.directory())))
          .as("direct memory is what is short here")
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining("direct memory");
      assertThatCode(() -> check(tier("ssd", "1g", disk.directory()))).doesNotThrowAnyException();
    }
  }
}
