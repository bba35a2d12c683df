// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.folder.UnopenedDevice;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk that hangs is replaced while the tier serves. */
class LivePathsTest {

  private static final int REGIONS = 8;
  private static final int REGION_BYTES = 1 << 20;
  private static final String WORKING = "/working";
  private static final String HANGING = "/hanging";
  private static final String NEW = "/new";
  private static final String OUT = "/out";

  /** Blocks of a file system that are larger than those of the start. */
  private static final int LARGE_BLOCKS = 16_384;

  /** What the worker of the path that hangs has yet to do. */
  private final Queue<Runnable> hanging = new ConcurrentLinkedQueue<>();

  private final Map<String, SimulatedDisk> disks = new ConcurrentHashMap<>();
  private final Map<String, Integer> alignments = new ConcurrentHashMap<>();
  private final List<SimulatedDevice> opened = new CopyOnWriteArrayList<>();
  private RegionTier<CountedBlock> tier;
  private LivePaths paths;

  @BeforeEach
  void open() {
    open(List.of(device(WORKING), device(HANGING)));
  }

  private void open(List<Device> devices) {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(LeaseLedger.counting()),
            devices,
            RegionConfig.named("ssd", FILES),
            this::thread,
            System::nanoTime);
    tier.start();
    paths =
        new LivePaths(
            tier,
            TierSpace.NONE,
            split -> split.paths().stream().<Device>map(path -> device(path.toString())).toList());
  }

  private static UnopenedDevice unopened(String path) {
    DeviceGeometry geometry = new DeviceGeometry(REGION_BYTES, REGIONS);
    Superblock empty = Superblock.fresh(DeviceKind.SSD, geometry, "", 0, 0);
    return new UnopenedDevice(path, empty, new IOException("no disk"));
  }

  private String why(String path) {
    return tier.stats().paths().stream()
        .filter(each -> each.path().equals(path))
        .map(each -> each.now().why())
        .findFirst()
        .orElse("not listed");
  }

  private Executor thread(String path) {
    return path.equals(HANGING) ? hanging::add : Runnable::run;
  }

  private SimulatedDevice device(String path) {
    SimulatedDisk disk =
        disks.computeIfAbsent(path, each -> new SimulatedDisk(REGIONS, REGION_BYTES));
    SimulatedDevice device =
        new SimulatedDevice(disk, false, 1).at(path).aligned(alignments.getOrDefault(path, 1));
    opened.add(device);
    return device;
  }

  private static TierSpace space(String... of) {
    return new TierSpace(
        Arrays.stream(of).map(Path::of).toList(), (long) of.length * REGIONS * REGION_BYTES);
  }

  private void endHanging() {
    while (!hanging.isEmpty()) {
      hanging.remove().run();
    }
  }

  @AfterEach
  void close() {
    tier.close();
    endHanging();
  }

  @Test
  void whatComesDoesNotWaitForWhatHangs() {
    CompletableFuture<Void> replaced = paths.become(space(WORKING, NEW));

    await().until(() -> tier.paths().equals(List.of(WORKING, NEW)));
    assertThat(replaced).as("the path that leaves is not released").isNotDone();

    endHanging();
    await().until(replaced::isDone);
    assertThat(replaced).isCompleted();
  }

  @Test
  void laterChangesDoNotWaitEither() {
    CompletableFuture<Void> first = paths.become(space(WORKING));
    CompletableFuture<Void> second = paths.become(space(WORKING, NEW));

    await().until(second::isDone);
    assertThat(second).isCompleted();
    assertThat(tier.paths()).containsExactly(WORKING, NEW);
    assertThat(first).isNotDone();
  }

  @Test
  void aPathThatIsWantedAgainComesBackOnceItIsReleased() {
    CompletableFuture<Void> gone = paths.become(space(WORKING));
    CompletableFuture<Void> back = paths.become(space(WORKING, HANGING));

    await().until(() -> tier.paths().equals(List.of(WORKING)));
    assertThat(back).isNotDone();

    endHanging();
    await().until(gone::isDone);
    await().until(() -> tier.paths().equals(List.of(WORKING, HANGING)));
    endHanging();
    await()
        .until(
            () -> {
              endHanging();
              return back.isDone();
            });
    assertThat(back).isCompleted();
  }

  @Test
  void aPathThatIsRefusedReplacesNone() {
    alignments.put(NEW, LARGE_BLOCKS);
    CompletableFuture<Void> replaced = paths.become(space(NEW));

    await().until(replaced::isDone);
    assertThat(replaced)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withMessageContainingAll(NEW, "blocks of 16384 bytes", "restart");
    assertThat(tier.paths()).containsExactly(WORKING, HANGING);
    assertThat(opened.get(opened.size() - 1).isClosed()).isTrue();
  }

  @Test
  void aPathThatOpensLateAndIsRefusedStaysOutAndIsTriedAgain() {
    tier.close();
    open(List.of(device(WORKING), unopened(OUT)));
    alignments.put(OUT, LARGE_BLOCKS);
    paths.retryUnopened();

    await().until(() -> why(OUT).contains("blocks of 16384 bytes"));
    assertThat(tier.paths()).containsExactly(WORKING, OUT);
    await().until(opened.get(opened.size() - 1)::isClosed);
    assertThat(tier.stats().events().devicesOut()).isOne();

    alignments.put(OUT, 1);
    await()
        .until(
            () -> {
              paths.retryUnopened();
              return tier.stats().events().devicesOut() == 0;
            });
    assertThat(tier.paths()).containsExactly(WORKING, OUT);
    assertThat(why(OUT)).isEmpty();
  }

  @Test
  void aSizeThatIsTooSmallFailsTheChangeAlone() {
    CompletableFuture<Void> resized =
        paths.become(new TierSpace(List.of(Path.of(WORKING), Path.of(HANGING)), REGION_BYTES));

    await().until(resized::isDone);
    assertThat(resized).isCompletedExceptionally();
  }
}
