// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.settings.LiveSettings;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.SmallDisk;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes that are shares of disks. Disks of a size of their own need root. */
class ShareOfDiskTest {

  private static final long MB = 1 << 20;
  private static final int BLOCK_BYTES = 66_000;

  /** Of a path's disk, kept for the files beside the regions. */
  private static final long KEPT = CacheFolder.MAX_OTHER_BYTES / MB;

  @RegisterExtension final LogLines log = new LogLines(LiveSettings.class);
  @TempDir Path folder;

  private final List<SmallDisk> disks = new ArrayList<>();
  private TieredBlockCache cache;

  @BeforeEach
  void begin() {
    cache = null;
  }

  /** A disk with this much for regions, and for the other files of some paths. */
  private Path disk(String name, long megabytes, int paths) throws IOException {
    SmallDisk disk = SmallDisk.mount(folder.resolve(name), (megabytes + 1 + paths * KEPT) * MB);
    disks.add(disk);
    return disk.directory();
  }

  private Path disk(String name, long megabytes) throws IOException {
    return disk(name, megabytes, 1);
  }

  @AfterEach
  void unmount() throws Exception {
    if (cache != null) {
      cache.shutdown();
      assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
    }
    for (SmallDisk disk : disks) {
      disk.close();
    }
  }

  private static void fill(Path disk, String file, int megabytes) throws IOException {
    Files.write(disk.resolve(file), new byte[megabytes << 20]);
  }

  private static String[] tier(String tier, String size, Path... paths) {
    return new String[] {
      "hbase.terrace." + tier + ".paths",
      Arrays.stream(paths).map(Path::toString).collect(Collectors.joining(",")),
      "hbase.terrace." + tier + ".size",
      size
    };
  }

  private void restart(String tier, String size, Path... paths) throws Exception {
    if (cache != null) {
      cache.shutdown();
      assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
    }
    cache = OpenCaches.make(OpenCaches.conf(tier(tier, size, paths)));
  }

  /** The megabytes of each path. */
  private List<Long> sizes(String tier) {
    return cache.tierStats().get(tier).paths().stream().map(path -> path.sizeBytes() / MB).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void eachPathHasItsShareOfWhatItsOwnDiskHasLeft(String tier) throws Exception {
    Path small = disk("small", 160);
    Path large = disk("large", 500);
    fill(large, "others", 100);

    restart(tier, "50%", small, large);

    assertThat(sizes(tier)).containsExactly(80L, 200L);
    assertThat(Files.size(large.resolve("terrace/regions"))).isEqualTo(200 * MB);
    assertThat(Files.size(small.resolve("terrace/regions"))).isEqualTo(80 * MB);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    await().until(() -> !server.queryNames(new ObjectName("dev.terrace:*"), null).isEmpty());
    ObjectName bean = server.queryNames(new ObjectName("dev.terrace:*"), null).iterator().next();
    assertThat((String) server.getAttribute(bean, "StartLine"))
        .contains(tier + " 280 MB = 50% (80m + 200m) in " + small + ", " + large + " (");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aRestartKeepsTheSizeUntilTheDiskHasClearlyLess(String tier) throws Exception {
    Path disk = disk("disk", 800);
    restart(tier, "50%", disk);
    assertThat(sizes(tier)).containsExactly(400L);

    fill(disk, "log", 12);
    restart(tier, "50%", disk);
    assertThat(sizes(tier)).as("a share of 394 MB").containsExactly(400L);

    fill(disk, "data", 100);
    restart(tier, "50%", disk);
    assertThat(sizes(tier)).as("a share of 344 MB").containsExactly(336L);

    restart(tier, "60%", disk);
    assertThat(sizes(tier)).as("a share of 412 MB").containsExactly(400L);
  }

  @Test
  void anUpdateOfTheConfigurationMeasuresTheDisksAgain() throws Exception {
    Path small = disk("small", 600);
    Path large = disk("large", 1000);
    restart("ssd", "50%", small, large);
    assertThat(sizes("ssd")).containsExactly(288L, 496L);

    cache.onConfigurationChange(OpenCaches.conf(tier("ssd", "100%", small, large)));
    await().until(() -> sizes("ssd").equals(List.of(592L, 992L)));

    fill(large, "others", 200);
    cache.onConfigurationChange(OpenCaches.conf(tier("ssd", "50%", small, large)));
    await().until(() -> sizes("ssd").equals(List.of(288L, 400L)));
    String resized =
        "INFO Terrace resized a tier: hbase.terrace.ssd.size is 688 MB = 50% (288m + 400m)";
    await().until(() -> log.lines().contains(resized + " now"));
  }

  @ParameterizedTest
  @CsvSource({
    "0%, is not a share of a disk",
    "101%, is not a share of a disk",
    "80.5%, is not a share of a disk",
    "%, is not a share of a disk",
    "-5%, is not a share of a disk",
    "80 %, is not a share of a disk"
  })
  void whatIsNoPercentageIsAnError(String size, String problem) {
    assertThatThrownBy(() -> OpenCaches.check(tier("ssd", size, folder)))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("hbase.terrace.ssd.size=" + size + " " + problem)
        .hasMessageContaining("from 1% to 100%");
  }

  @Test
  void aDiskWithoutALimitHasNoShares() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "tmpfs", "size=0")) {
      assertThatThrownBy(() -> OpenCaches.check(tier("pmem", "80%", disk.directory())))
          .isInstanceOf(SettingsException.class)
          .hasMessageStartingWith("hbase.terrace.pmem.size=80% is a share of")
          .hasMessageContainingAll(disk.directory() + ", tmpfs", "size of 0 bytes", "with a limit");
    }
  }

  @Test
  void sharesOfOneDiskAreAddedUp() throws Exception {
    Path disk = disk("disk", 200, 2);
    Path a = Files.createDirectory(disk.resolve("a"));
    Path b = Files.createDirectory(disk.resolve("b"));
    assertThatThrownBy(() -> OpenCaches.check(tier("ssd", "60%", a, b)))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("hbase.terrace.ssd.size=60% makes 120 % of the file system of " + a)
        .hasMessageContaining("100 % at most");
    String[] pmem = tier("pmem", "70%", a);
    String[] both = Arrays.copyOf(pmem, 8);
    System.arraycopy(tier("ssd", "40%", b), 0, both, 4, 4);
    assertThatThrownBy(() -> OpenCaches.check(both))
        .hasMessageContainingAll(
            "hbase.terrace.pmem.size=70% makes 110 %", "hbase.terrace.ssd.size=40% makes 110 %");

    restart("ssd", "50%", a, b);
    assertThat(sizes("ssd")).containsExactly(100L, 100L);
  }

  @Test
  void aDiskThatIsFullOfOtherFilesIsAnError() throws Exception {
    Path disk = disk("disk", 20);
    fill(disk, "others", 21);
    assertThatThrownBy(() -> OpenCaches.check(tier("ssd", "80%", disk)))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("hbase.terrace.ssd.size=80% is only 0 B on " + disk)
        .hasMessageContaining("the minimum is 1 MB");
  }

  /** What a volume needs beyond the size of the tier, as {@code sizeLimit} of a pod counts it. */
  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aFolderTakesLittleMoreThanItsTierAtAnyTime(String tier) throws Exception {
    Path disk = disk("disk", 200);
    FileStore store = Files.getFileStore(disk);
    restart(tier, "64m", disk);
    long peakBytes = 0;
    int put = 0;
    for (long size : new long[] {64, 124, 72, 100}) {
      cache.onConfigurationChange(OpenCaches.conf(tier(tier, size + "m", disk)));
      // Twice as much as fits, of files that come and go.
      long end = put + 2 * size * MB / BLOCK_BYTES;
      for (boolean resized = false; put < end || !resized; put++) {
        String file = "file" + put / 100;
        cache.cacheBlock(TestBlocks.key(file, put), TestBlocks.data(file, put, BLOCK_BYTES));
        if (put % 300 == 0) {
          cache.evictBlocksByHfileName(file);
          resized = sizes(tier).equals(List.of(size));
        }
        assertThat(put).as("until the size is reached").isLessThan(1_000_000);
        peakBytes = Math.max(peakBytes, store.getTotalSpace() - store.getUnallocatedSpace());
      }
    }
    assertThat(peakBytes).isBetween(104 * MB, 124 * MB + CacheFolder.MAX_OTHER_BYTES);
  }
}
