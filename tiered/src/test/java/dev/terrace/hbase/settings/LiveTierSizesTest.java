// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.folder.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sizes of the tiers on PMem and SSD, while the cache runs. */
class LiveTierSizesTest {

  private static final int BLOCK_BYTES = 66_000;

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @RegisterExtension final LogLines log = new LogLines(LiveSettings.class);
  @TempDir Path folder;

  private TieredBlockCache cache;

  /** Whether there is another tier, with which nothing is cached. */
  private boolean hasOther;

  private String[] settings(String tier, String size) {
    return new String[] {
      "hbase.terrace.dram.size",
      "0",
      "hbase.terrace." + tier + ".paths",
      folder.resolve("a") + "," + folder.resolve("b"),
      "hbase.terrace." + tier + ".size",
      size
    };
  }

  private Configuration conf(String tier, String size) {
    Configuration conf = OpenCaches.conf(settings(tier, size));
    if (hasOther) {
      // Its regions are too small for the blocks.
      String other = "hbase.terrace." + (tier.equals("ssd") ? "pmem" : "ssd");
      conf.set(other + ".paths", folder.resolve("c").toString());
      conf.set(other + ".size", "1m");
    }
    return conf;
  }

  private void open(String tier, String size) {
    cache = caches.track(OpenCaches.make(conf(tier, size)));
  }

  private void put(int from, int to) {
    for (long offset = from; offset < to; offset++) {
      long each = offset;
      await().until(() -> isTaken(each));
    }
  }

  private boolean isTaken(long offset) {
    cache.cacheBlock(TestBlocks.key("file", offset), TestBlocks.data("file", offset, BLOCK_BYTES));
    return isRead(offset);
  }

  private boolean isRead(long offset) {
    Cacheable block = cache.getBlock(TestBlocks.key("file", offset), true, false, true);
    if (block == null) {
      return false;
    }
    assertThat(block).isEqualTo(TestBlocks.data("file", offset, BLOCK_BYTES));
    block.release();
    return true;
  }

  private int read(int from, int to) {
    int found = 0;
    for (int offset = from; offset < to; offset++) {
      found += isRead(offset) ? 1 : 0;
    }
    return found;
  }

  private TierStats stats(String tier) {
    return cache.tierStats().get(tier);
  }

  private long onDisk() throws IOException {
    return Files.size(folder.resolve("a/terrace/regions"))
        + Files.size(folder.resolve("b/terrace/regions"));
  }

  private void change(String tier, String size, long sizeBytes) throws IOException {
    cache.onConfigurationChange(conf(tier, size));
    await().until(() -> stats(tier).space().capacityBytes() == sizeBytes);
    await().until(() -> log.lines().contains(resized(tier, sizeBytes)));
    assertThat(onDisk()).isEqualTo(sizeBytes);
  }

  private static String resized(String tier, long sizeBytes) {
    return "INFO Terrace resized a tier: hbase.terrace."
        + tier
        + ".size is "
        + ByteSize.readable(sizeBytes)
        + " now";
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aTierGrowsAndShrinksAndIsWarmAfterwards(String tier) throws Exception {
    open(tier, "32m");
    put(0, 300);
    assertThat(read(0, 300)).isEqualTo(300);

    change(tier, "60m", 60L << 20);
    put(300, 700);
    assertThat(read(0, 700)).as("all of them fit").isEqualTo(700);

    change(tier, "40m", 40L << 20);
    int kept = read(0, 700);
    assertThat(kept).isBetween(400, 600);
    assertThat(stats(tier).space().usedBytes()).isLessThanOrEqualTo(40L << 20);

    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
    open(tier, "40m");
    // What a reclaim dropped comes back, where it is not overwritten yet.
    await().untilAsserted(() -> assertThat(read(0, 700)).isGreaterThanOrEqualTo(kept));
    assertThat(log.lines())
        .contains(
            "INFO Terrace read new settings: hbase.terrace."
                + tier
                + ".size changes from 32 MB to 60 MB",
            "INFO Terrace read new settings: hbase.terrace."
                + tier
                + ".size changes from 60 MB to 40 MB")
        .noneMatch(line -> line.startsWith("ERROR"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aSizeThatTheDiskDoesNotHaveIsRefused(String tier) throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("a"), 12L << 20)) {
      open(tier, "16m");
      put(0, 10);
      cache.onConfigurationChange(conf(tier, "30m"));
      cache.onConfigurationChange(conf(tier, "30m"));

      assertThat(log.lines())
          .filteredOn(line -> !line.startsWith("WARN"))
          .singleElement()
          .asString()
          .startsWith("ERROR hbase.terrace." + tier + ".size not changed: hbase.terrace.")
          .contains(
              " is too large for ", "free space, ", "or set hbase.terrace." + tier + ".size to ");
      assertThat(stats(tier).space().capacityBytes()).isEqualTo(16L << 20);
      assertThat(onDisk()).isEqualTo(16L << 20);
      assertThat(disk.availableBytes()).as("no part of it was taken").isGreaterThan(3L << 20);
      assertThat(read(0, 10)).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void regionsOfAnotherSizeNeedARestart(String tier) {
    open(tier, "32m");
    put(0, 10);
    cache.onConfigurationChange(conf(tier, "64m"));

    assertThat(log.lines())
        .filteredOn(line -> !line.startsWith("WARN"))
        .containsExactly(
            "INFO Terrace read new settings: hbase.terrace."
                + tier
                + ".size takes effect at the next restart, and empties the tier, because its region"
                + " size changes");
    assertThat(stats(tier).space().capacityBytes()).isEqualTo(32L << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aSizeWithWhichTheNextStartWouldFailIsRefused(String tier) throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("a"), 12L << 20)) {
      open(tier, "16m");
      cache.onConfigurationChange(conf(tier, "64m"));

      assertThat(disk.availableBytes()).isLessThan(32L << 20);
      assertThat(log.lines())
          .filteredOn(line -> !line.startsWith("WARN"))
          .singleElement()
          .asString()
          .startsWith("ERROR hbase.terrace." + tier + ".size not changed: hbase.terrace.")
          .contains(".size=64m", "too large for ");
    }
  }

  @Test
  void aTierForTheNextStartThatTheDiskDoesNotHaveIsRefused() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("a"), 12L << 20)) {
      cache = caches.open();
      Configuration conf = conf("ssd", "64m");
      conf.set("hbase.terrace.dram.size", "16m");
      cache.onConfigurationChange(conf);

      assertThat(disk.availableBytes()).isLessThan(32L << 20);
      assertThat(log.lines())
          .filteredOn(line -> !line.startsWith("WARN"))
          .singleElement()
          .asString()
          .contains("ERROR hbase.terrace.ssd.size not changed: ");
    }
  }

  /** What is on the paths comes back with the size. */
  /** Whether a line says that a path is released, and what to do about its disk. */
  private boolean isReleased(String line, String path) {
    return line.startsWith("INFO Released " + folder.resolve(path) + ": ")
        && line.matches(".* To free its disk: .+");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aTierOfSizeZeroRestsUntilItHasASizeAgain(String tier) throws Exception {
    hasOther = true;
    open(tier, "32m");
    put(0, 300);
    cache.onConfigurationChange(conf(tier, "0"));
    await().until(() -> log.lines().stream().anyMatch(line -> isReleased(line, "b")));
    assertThat(log.lines())
        .contains(resized(tier, 0))
        .anyMatch(line -> isReleased(line, "a"))
        .anyMatch(line -> line.startsWith("WARN hbase.terrace." + tier + ".size=0 closes the"));
    assertThat(read(0, 300)).isZero();
    assertThat(stats(tier).space().capacityBytes()).isZero();
    assertThat(stats(tier).events().faults()).isEmpty();
    // Another process may have the paths meanwhile.
    assertThat(ReadOnlyDevice.holder(folder.resolve("a"))).isEmpty();
    cache.cacheBlock(TestBlocks.key("file", 300), TestBlocks.data("file", 300, BLOCK_BYTES));
    assertThat(isRead(300)).isFalse();

    cache.onConfigurationChange(conf(tier, "32m"));
    await().until(() -> stats(tier).space().capacityBytes() == 32L << 20);
    await().until(() -> read(0, 300) == 300);
    put(300, 350);
    change(tier, "40m", 40L << 20);
    assertThat(log.lines()).noneMatch(line -> line.startsWith("ERROR"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aPathLeavesIsUnmountedAndComesBack(String tier) throws Exception {
    try (SmallDisk disk = SmallDisk.ofImage(folder.resolve("b"), 64L << 20)) {
      Configuration both = conf(tier, "32m");
      both.set("hbase.terrace.create.paths", "false");
      Files.createDirectory(folder.resolve("a"));
      cache = caches.track(OpenCaches.make(both));
      put(0, 300);
      Configuration other = new Configuration(both);
      other.set("hbase.terrace." + tier + ".paths", folder.resolve("a").toString());
      other.set("hbase.terrace." + tier + ".size", "16m");
      cache.onConfigurationChange(other);
      await().until(() -> log.lines().contains(resized(tier, 16L << 20)));
      assertThat(read(0, 300)).isBetween(50, 250);
      put(300, 310);

      disk.remount();
      other.set(
          "hbase.terrace." + tier + ".paths", folder.resolve("a") + "," + folder.resolve("absent"));
      other.set("hbase.terrace." + tier + ".size", "32m");
      cache.onConfigurationChange(other);
      assertThat(log.lines())
          .anyMatch(line -> line.contains(" not changed") && line.contains("does not exist"));

      cache.onConfigurationChange(both);
      await().until(() -> stats(tier).space().capacityBytes() == 32L << 20);
      await().until(() -> read(0, 300) == 300);
      assertThat(stats(tier).events().faults()).isEmpty();
      cache.shutdown();
      assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
    }
  }

  @Test
  void encryptionNeedsARestart() {
    open("ssd", "32m");
    Configuration conf = conf("ssd", "32m");
    conf.set("hbase.terrace.encryption", "all");
    cache.onConfigurationChange(conf);

    assertThat(log.lines())
        .filteredOn(line -> !line.startsWith("WARN"))
        .containsExactly(
            "INFO Terrace read new settings: hbase.terrace.encryption takes effect at the next"
                + " restart, and empties the tiers on PMem and SSD");
  }
}
