// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.SmallDisk;
import dev.terrace.region.folder.UnusablePathException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A path that stops being a running tier's own: its files are deleted, moved, replaced or covered,
 * or a second tier wants it. The tier trusts the bytes that it has verified.
 */
public abstract class LostPathContract {

  protected static final int REGIONS = 16;
  protected static final int REGION_BYTES = 64 << 10;
  private static final int BLOCKS = 40;
  private static final int BLOCK = 10_000;
  private static final long PROBE_NANOS = Duration.ofSeconds(5).toNanos();

  @TempDir Path temporary;
  private final LeaseLedger ledger = LeaseLedger.counting();
  private final List<RegionTier<CountedBlock>> tiers = new ArrayList<>();
  private Path path;
  private Path folder;
  private long now = 1;

  /** A device of {@link #REGIONS} times {@link #REGION_BYTES}. */
  protected abstract List<Device> devices(Path path) throws IOException;

  @BeforeEach
  void names() {
    path = temporary.resolve("cache");
    folder = path.resolve("terrace");
  }

  @AfterEach
  void close() throws InterruptedException {
    for (RegionTier<?> tier : tiers) {
      close(tier);
    }
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private static void close(RegionTier<?> tier) throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
  }

  private RegionTier<CountedBlock> open(Path any) throws IOException {
    RegionTier<CountedBlock> tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            devices(any),
            RegionConfig.named("test", FILES).withVerify(false),
            device -> Runnable::run,
            () -> now);
    tiers.add(tier);
    tier.start();
    assertThat(tier.isRecovered()).isTrue();
    return tier;
  }

  private static NumberedBlocks blocks(RegionTier<CountedBlock> tier) {
    return new NumberedBlocks(tier, "file", BLOCK);
  }

  /** A tier with all blocks read, some of them sealed and some in an open region. */
  private RegionTier<CountedBlock> filled() throws IOException {
    RegionTier<CountedBlock> tier = open(path);
    NumberedBlocks blocks = blocks(tier);
    assertThat(blocks.putAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertAllThere(tier);
    tier.tick();
    assertAllThere(tier);
    assertThat(blocks.count(TierFault.PATH_LOST)).isZero();
    return tier;
  }

  private static void assertAllThere(RegionTier<CountedBlock> tier) {
    // Twice, because readers share the objects that they made the first time.
    assertThat(blocks(tier).readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(blocks(tier).readAll(0, BLOCKS)).isEqualTo(BLOCKS);
  }

  private static void assertLost(RegionTier<CountedBlock> tier) {
    tier.tick();
    NumberedBlocks blocks = blocks(tier);
    assertThat(blocks.readAll(0, BLOCKS)).isZero();
    assertThat(blocks.put(BLOCKS)).isEqualTo(PutOutcome.UNAVAILABLE);
    tier.tick();
    assertThat(tier.stats().events().faults())
        .containsEntry(TierFault.PATH_LOST, 1L)
        .containsEntry(TierFault.DEVICE_OUT, 1L);
  }

  /** On purpose: nothing of the process holds the disk then. */
  @ParameterizedTest(name = "resized={0}")
  @ValueSource(booleans = {true, false})
  void aPathThatLeavesCanBeUnmountedAndComesBackWarm(boolean resized) throws Exception {
    try (SmallDisk disk = SmallDisk.ofImage(temporary.resolve("disk"), 64 << 20)) {
      path = disk.directory();
      RegionTier<CountedBlock> tier = filled();
      if (resized) {
        tier.resize(path -> 3L * REGIONS * REGION_BYTES).get();
        tier.resize(path -> (long) REGIONS * REGION_BYTES).get();
        assertAllThere(tier);
      }
      CountedBlock held = blocks(tier).hold(0);
      CompletableFuture<Void> released = tier.replace(List.of(path.toString()), List.of());
      NumberedBlocks blocks = blocks(tier);
      assertThat(blocks.readAll(0, BLOCKS)).isZero();
      assertThat(blocks.put(BLOCKS)).isEqualTo(PutOutcome.CLOSED);
      assertThat(tier.capacityBytes()).isZero();
      assertThat(tier.paths()).isEmpty();
      blocks.check(0, held);
      held.release();
      tier.tick();
      assertThat(released).isCompleted();

      disk.remount();
      tier.replace(List.of(), devices(path)).join();

      assertThat(tier.paths()).containsExactly(path.toString());
      assertAllThere(tier);
      assertThat(blocks.putAll(BLOCKS, 2 * BLOCKS)).isEqualTo(BLOCKS);
      tier.tick();
      assertThat(tier.stats().events().faults()).isEmpty();
    }
  }

  private void assertRefused(Path other) {
    assertThatThrownBy(() -> devices(other).forEach(Device::close))
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContaining("is in use by");
  }

  private void replace(String name) throws IOException {
    Path copy = Files.copy(folder.resolve(name), temporary.resolve("copy"));
    Files.move(copy, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private static void delete(Path tree) throws IOException {
    try (var files = Files.list(tree)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(tree);
  }

  private static void bind(Path from, Path to) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("mount", "--bind", from.toString(), to.toString()).start();
    assumeTrue(process.waitFor() == 0, "a folder is mounted, which needs root");
  }

  private static void unmount(Path mount) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("umount", mount.toString()).start().waitFor()).isZero();
  }

  /** What becomes of a path. */
  enum Loss {
    LOCK_DELETED,
    SUPERBLOCK_DELETED,
    REGIONS_DELETED,
    LOCK_REPLACED,
    SUPERBLOCK_REPLACED,
    REGIONS_REPLACED,
    FOLDER_DELETED,
    FOLDER_MOVED,
    PATH_MOVED,
    OPENED_BY_ANOTHER_HOST
  }

  private void lose(Loss loss) throws IOException {
    switch (loss) {
      case LOCK_DELETED -> Files.delete(folder.resolve("lock"));
      case SUPERBLOCK_DELETED -> Files.delete(folder.resolve("superblock"));
      case REGIONS_DELETED -> Files.delete(folder.resolve("regions"));
      case LOCK_REPLACED -> replace("lock");
      case SUPERBLOCK_REPLACED -> replace("superblock");
      case REGIONS_REPLACED -> replace("regions");
      case FOLDER_DELETED -> delete(folder);
      case FOLDER_MOVED -> Files.move(folder, temporary.resolve("moved"));
      case PATH_MOVED -> Files.move(path, temporary.resolve("moved"));
      case OPENED_BY_ANOTHER_HOST -> raiseGeneration();
      default -> throw new AssertionError(loss);
    }
  }

  /** Overwrites the superblock as a server does that no lock keeps out. */
  private void raiseGeneration() throws IOException {
    Path copy = Files.createDirectories(temporary.resolve("copy/terrace"));
    Files.copy(folder.resolve("superblock"), copy.resolve("superblock"));
    Files.copy(folder.resolve("regions"), copy.resolve("regions"));
    devices(copy.getParent()).forEach(Device::close);
    byte[] next = Files.readAllBytes(copy.resolve("superblock"));
    try (RandomAccessFile superblock =
        new RandomAccessFile(folder.resolve("superblock").toFile(), "rw")) {
      superblock.write(next);
    }
  }

  @ParameterizedTest
  @EnumSource
  void isNotBelieved(Loss loss) throws IOException {
    RegionTier<CountedBlock> tier = filled();
    lose(loss);
    assertLost(tier);
  }

  @ParameterizedTest
  @EnumSource(names = {"LOCK_DELETED", "LOCK_REPLACED", "OPENED_BY_ANOTHER_HOST"})
  void nothingIsWrittenToALostPath(Loss loss) throws Exception {
    RegionTier<CountedBlock> tier = filled();
    lose(loss);
    assertLost(tier);
    byte[] regions = Files.readAllBytes(folder.resolve("regions"));
    byte[] superblock = Files.readAllBytes(folder.resolve("superblock"));
    CompletableFuture<Void> resize = tier.resize(path -> 4L * REGION_BYTES);
    assertThat(resize).isNotDone();
    close(tier);
    assertThat(resize).isCompletedExceptionally();
    assertThat(Files.readAllBytes(folder.resolve("regions"))).isEqualTo(regions);
    assertThat(Files.readAllBytes(folder.resolve("superblock"))).isEqualTo(superblock);
  }

  @Test
  void whatComesBackIsServedAgain() throws IOException {
    RegionTier<CountedBlock> tier = filled();
    Path moved = Files.move(path, temporary.resolve("moved"));
    assertLost(tier);
    Files.move(moved, path);
    assertIsBack(tier);
  }

  private void assertIsBack(RegionTier<CountedBlock> tier) {
    tier.tick();
    now += PROBE_NANOS;
    tier.tick();
    assertAllThere(tier);
    assertThat(blocks(tier).put(BLOCKS)).isEqualTo(PutOutcome.STORED);
    assertThat(blocks(tier).read(BLOCKS)).isTrue();
    assertThat(blocks(tier).count(TierFault.DEVICE_BACK)).isEqualTo(1);
  }

  @Test
  void aFileSystemOverThePathIsNotIt() throws Exception {
    RegionTier<CountedBlock> tier = filled();
    try (SmallDisk over = SmallDisk.mount(path, 8 << 20)) {
      assertThat(over.directory()).isEmptyDirectory();
      assertLost(tier);
      RegionTier<CountedBlock> other = open(path);
      assertThat(blocks(other).put(0)).isEqualTo(PutOutcome.STORED);
      close(other);
    }
    assertIsBack(tier);
  }

  /** The files are restored from a backup, as {@code rsync} does, and a server is started. */
  @Test
  void aRestoreByRenameDisturbsNeitherServer() throws Exception {
    close(filled());
    Path backup = Files.createDirectory(temporary.resolve("backup"));
    for (String name : List.of("lock", "superblock", "regions", "evictions")) {
      Files.copy(folder.resolve(name), backup.resolve(name));
    }
    RegionTier<CountedBlock> before = open(path);
    assertAllThere(before);
    for (String name : List.of("lock", "superblock", "regions", "evictions")) {
      Files.move(backup.resolve(name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    RegionTier<CountedBlock> after = open(path);
    assertAllThere(after);
    assertLost(before);
    assertThat(blocks(after).putAll(BLOCKS, 2 * BLOCKS)).isEqualTo(BLOCKS);
    assertThat(blocks(after).readAll(0, 2 * BLOCKS)).isEqualTo(2 * BLOCKS);
  }

  @ParameterizedTest
  @EnumSource(names = {"LOCK_DELETED", "LOCK_REPLACED"})
  void aSecondServerIsRefusedWithoutTheLock(Loss loss) throws IOException {
    RegionTier<CountedBlock> tier = filled();
    byte[] superblock = Files.readAllBytes(folder.resolve("superblock"));
    lose(loss);
    assertRefused(path);
    assertThat(Files.readAllBytes(folder.resolve("superblock"))).isEqualTo(superblock);
    assertAllThere(tier);
  }

  @Test
  void aSecondServerIsRefusedWithTheRegionsAlone() throws IOException {
    RegionTier<CountedBlock> tier = filled();
    replace("lock");
    replace("superblock");
    assertRefused(path);
    delete("superblock", "lock");
    assertRefused(path);
    assertAllThere(tier);
  }

  private void delete(String... names) throws IOException {
    for (String name : names) {
      Files.delete(folder.resolve(name));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "superblock", "regions"})
  void aHardLinkIsTheSameFile(String name) throws IOException {
    RegionTier<CountedBlock> tier = filled();
    Path other = Files.createDirectories(temporary.resolve("other/terrace"));
    for (String each : List.of("lock", "superblock", "regions")) {
      if (each.equals(name)) {
        Files.createLink(other.resolve(each), folder.resolve(each));
      } else {
        Files.copy(folder.resolve(each), other.resolve(each));
      }
    }
    assertRefused(other.getParent());
    assertAllThere(tier);
  }

  @Test
  void aBindMountIsTheSamePath() throws Exception {
    RegionTier<CountedBlock> tier = filled();
    Path other = Files.createDirectory(temporary.resolve("other"));
    bind(path, other);
    try {
      assertRefused(other);
      Files.delete(folder.resolve("lock"));
      assertRefused(other);
    } finally {
      unmount(other);
    }
    assertLost(tier);
  }

  @Test
  void aDiskThatIsUnmountedWhileItIsBusyIsLost() throws Exception {
    bind(Files.createDirectory(temporary.resolve("disk")), Files.createDirectories(path));
    RegionTier<CountedBlock> tier;
    try {
      tier = filled();
    } finally {
      assertThat(new ProcessBuilder("umount", "-l", path.toString()).start().waitFor()).isZero();
    }
    assertLost(tier);
    assertThat(tier.stats().paths().get(0).now().why()).contains("unmounted (umount -l)");
  }

  @Test
  void aBindMountOverThePathIsNotIt() throws Exception {
    RegionTier<CountedBlock> tier = filled();
    bind(Files.createDirectory(temporary.resolve("other")), path);
    try {
      assertLost(tier);
    } finally {
      unmount(path);
    }
    assertIsBack(tier);
  }

  /** A link that leads elsewhere at a restart leads elsewhere now. */
  @Test
  void aResizeLeavesAnotherServersFolderAlone() throws Exception {
    Path one = Files.createDirectory(temporary.resolve("one"));
    Files.createSymbolicLink(path, one);
    RegionTier<CountedBlock> tier = filled();
    Path two = temporary.resolve("two");
    RegionTier<CountedBlock> other = open(two);
    assertThat(blocks(other).putAll(0, BLOCKS)).isEqualTo(BLOCKS);
    Files.delete(path);
    Files.createSymbolicLink(path, two);

    assertThat(tier.resize(path -> 4L * REGION_BYTES)).isCompletedExceptionally();
    assertThat(Files.size(two.resolve("terrace/regions"))).isEqualTo((long) REGIONS * REGION_BYTES);
    assertAllThere(other);
    assertLost(tier);
    assertThat(blocks(other).count(TierFault.PATH_LOST)).isZero();
  }
}
