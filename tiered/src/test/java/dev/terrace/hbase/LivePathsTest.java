// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

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
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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

  /** What the worker of the path that hangs has yet to do. */
  private final Queue<Runnable> hanging = new ConcurrentLinkedQueue<>();

  private final Map<String, SimulatedDisk> disks = new ConcurrentHashMap<>();
  private RegionTier<CountedBlock> tier;
  private LivePaths paths;

  @BeforeEach
  void open() {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(LeaseLedger.counting()),
            List.of(device(WORKING), device(HANGING)),
            RegionConfig.named("ssd"),
            this::thread,
            System::nanoTime);
    tier.start();
    paths =
        new LivePaths(
            tier,
            split -> split.paths().stream().<Device>map(path -> device(path.toString())).toList());
  }

  private Executor thread(String path) {
    return path.equals(HANGING) ? hanging::add : Runnable::run;
  }

  private SimulatedDevice device(String path) {
    SimulatedDisk disk =
        disks.computeIfAbsent(path, each -> new SimulatedDisk(REGIONS, REGION_BYTES));
    return new SimulatedDevice(disk, false, 1).at(path);
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
}
