// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PathStats;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.NumberedBlocks;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.folder.SmallDisk;
import dev.terrace.region.folder.UnopenedDevice;
import dev.terrace.region.folder.UnusablePathException;
import dev.terrace.region.folder.UnusablePathException.FatalPathException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tier that starts while one of its paths, or all of them, cannot be opened. */
class SickPathTest {

  private static final int REGION = 256 << 10;
  private static final int BLOCKS = 200;

  @TempDir Path temporary;
  private Path well;
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  @BeforeEach
  void make() throws IOException {
    well = Files.createDirectory(temporary.resolve("well"));
  }

  private static PathSplit split(Path... paths) {
    return new PathSplit(PathSplit.even(List.of(paths), 32L * REGION * paths.length), REGION);
  }

  private void open(Path... paths) throws IOException {
    tier =
        RegionTier.open(
            CountedBlockCodec.sharing(LeaseLedger.counting()),
            FileDevice.openAll(split(paths).withoutSickPaths(), false),
            RegionConfig.named("sick", FILES));
    blocks = new NumberedBlocks(tier, "file", 10_000);
    Awaitility.await().until(tier::isRecovered);
  }

  /** Has a file where the folder belongs. */
  private static Path breakPath(Path path) throws IOException {
    return Files.createFile(path.resolve("terrace"));
  }

  private void put(int from, int to) {
    for (int i = from; i < to; i++) {
      int number = i;
      Awaitility.await().until(() -> blocks.put(number) == PutOutcome.STORED);
    }
  }

  private void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
  }

  private PathStats stats(int path) {
    return tier.stats().paths().get(path);
  }

  private static SmallDisk disk(String type, Path directory) throws IOException {
    return type.equals("ext4")
        ? SmallDisk.ofImage(directory, 64L << 20)
        : SmallDisk.mount(directory, 64L << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "tmpfs"})
  void aReadOnlyDiskIsOutUntilTheNextStartAndKeepsItsBlocks(String type) throws Exception {
    try (SmallDisk disk = disk(type, temporary.resolve("disk"))) {
      open(disk.directory(), well);
      put(0, BLOCKS);
      close();

      disk.setReadOnly(true);
      assertThatThrownBy(() -> FileDevice.openAll(split(disk.directory(), well), false))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(disk.directory().toString());
      open(disk.directory(), well);
      assertThat(stats(0).path()).isEqualTo(disk.directory().toString());
      assertThat(stats(0).now().state()).isEqualTo(PathStats.State.OUT);
      assertThat(stats(0).now().why())
          .contains("could not be opened", disk.directory().toString(), "ead-only");
      assertThat(stats(1).now().state()).isEqualTo(PathStats.State.IN_SERVICE);
      assertThat(blocks.count(TierFault.DEVICE_OUT)).isOne();
      assertThat(blocks.readAll(0, BLOCKS)).as("those of the other path").isBetween(1, BLOCKS - 1);
      put(BLOCKS, 2 * BLOCKS);
      assertThat(blocks.readAll(BLOCKS, 2 * BLOCKS)).isEqualTo(BLOCKS);
      close();

      disk.setReadOnly(false);
      open(disk.directory(), well);
      assertThat(stats(0).now().state()).isEqualTo(PathStats.State.IN_SERVICE);
      assertThat(blocks.readAll(0, 2 * BLOCKS)).as("warm").isEqualTo(2 * BLOCKS);
      close();
    }
  }

  @Test
  void aTierWithoutAPathThatWorksTakesNothing() throws Exception {
    Path file = breakPath(well);
    open(well);
    assertThat(stats(0).now().state()).isEqualTo(PathStats.State.OUT);
    assertThat(stats(0).now().why()).contains("is not a directory", "remove it");
    assertThat(blocks.put(0)).isEqualTo(PutOutcome.UNAVAILABLE);
    assertThat(blocks.read(0)).isFalse();
    assertThat(tier.evict(file("file"), 0, 0)).isZero();
    close();
    assertThat(file).isEmptyFile();
  }

  @Test
  void aPathThatIsMendedComesBackLive() throws Exception {
    Path sick = Files.createDirectory(temporary.resolve("sick"));
    Path file = breakPath(sick);
    open(sick, well);
    assertThat(tier.stats().events().devicesOut()).isOne();
    tier.replace(List.of(sick.toString()), List.of()).get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(tier.stats().events().devicesOut()).as("it has left").isZero();
    Files.delete(file);
    tier.replace(List.of(), FileDevice.openAll(split(sick), false)).join();
    assertThat(tier.stats().paths())
        .extracting(path -> path.now().state())
        .containsOnly(PathStats.State.IN_SERVICE);
    put(0, BLOCKS);
    assertThat(stats(1).path()).isEqualTo(sick.toString());
    assertThat(stats(1).usedBytes()).isPositive();
    close();
  }

  @Test
  void whatIsEvictedWhileAPathIsOutDoesNotComeBackWithIt() throws Exception {
    Path sick = Files.createDirectory(temporary.resolve("sick"));
    open(sick, well);
    NumberedBlocks dropped = new NumberedBlocks(tier, "dropped", 10_000);
    put(0, BLOCKS);
    assertThat(dropped.putAll(0, 20)).isPositive();
    close();
    Path folder = sick.resolve("terrace");
    Path kept = temporary.resolve("kept");
    Files.move(folder, kept);
    Path file = breakPath(sick);

    open(sick, well);
    for (int i = 0; i < BLOCKS / 2; i++) {
      tier.evict(file("file"), i, i);
    }
    tier.evict(file("dropped"), Long.MIN_VALUE, Long.MAX_VALUE);
    Files.delete(file);
    Files.move(kept, folder);
    tier.replace(List.of(sick.toString()), FileDevice.openAll(split(sick), false))
        .get(Patience.SECONDS, TimeUnit.SECONDS);
    assertEvicted();
    assertThat(blocks.readAll(BLOCKS / 2, BLOCKS)).as("warm").isEqualTo(BLOCKS / 2);
    close();

    open(sick, well);
    assertEvicted();
    assertThat(blocks.readAll(BLOCKS / 2, BLOCKS)).isEqualTo(BLOCKS / 2);
    close();
  }

  private void assertEvicted() {
    Awaitility.await().until(tier::isRecovered);
    assertThat(blocks.readAll(0, BLOCKS / 2)).isZero();
    assertThat(new NumberedBlocks(tier, "dropped", 10_000).readAll(0, 20)).isZero();
  }

  @Test
  void aLiveResizeDoesNotWaitForAPathThatIsOut() throws Exception {
    Path sick = Files.createDirectory(temporary.resolve("sick"));
    Path file = breakPath(sick);
    open(sick, well);

    tier.resize(path -> 64L * REGION).get(Patience.SECONDS, TimeUnit.SECONDS);

    assertThat(stats(0).now().state()).isEqualTo(PathStats.State.OUT);
    assertThat(stats(1).sizeBytes()).isEqualTo(64L * REGION);
    assertThat(tier.pathBytes(sick.toString()))
        .as("what the path is to have")
        .isEqualTo(64L * REGION);
    put(0, BLOCKS);
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    close();
    assertThat(file).isEmptyFile();
  }

  @Test
  void aPathThatIsNotToBlameItselfStopsTheStart() throws Exception {
    Path file = Files.createFile(temporary.resolve("file"));
    Path unmounted = temporary.resolve("unmounted").resolve("path");
    List<Device> other = FileDevice.openAll(split(well), false);
    try {
      for (Path wrong : List.of(file, unmounted, well)) {
        Path fresh = temporary.resolve("fresh");
        assertThatThrownBy(() -> FileDevice.openAll(split(fresh, wrong).withoutSickPaths(), false))
            .isInstanceOf(FatalPathException.class)
            .isInstanceOf(UnusablePathException.class)
            .hasMessageContaining("path=" + wrong);
      }
    } finally {
      other.forEach(Device::close);
    }
    assertThat(other).noneMatch(UnopenedDevice.class::isInstance);
  }
}
