// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.NumberedBlocks;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.folder.SmallDisk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tier whose file has lost its reserved space, as by a tool that punches holes, on a disk that is
 * full afterwards. In a process of its own, because each store to a hole is a SIGBUS.
 */
class LostReservationTest {

  private static final int REGION = 256 << 10;
  private static final int REGIONS = 16;
  private static final int BLOCK = 10_000;
  private static final long DISK_BYTES = 32L << 20;

  @TempDir Path temporary;

  private static void run(SmallDisk disk) throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx128m",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "-cp",
                System.getProperty("java.class.path"),
                LostReservationTest.class.getName(),
                disk.directory().toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    assertThat(process.exitValue()).as(said).isZero();
    assertThat(said).contains("no space left").contains("has space again");
  }

  @Test
  void isNoSpaceInMemory() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), DISK_BYTES)) {
      run(disk);
    }
  }

  @Test
  void isNoSpaceOnADisk() throws IOException {
    try (SmallDisk disk = SmallDisk.ofImage(temporary.resolve("disk"), DISK_BYTES)) {
      run(disk);
    }
  }

  @Test
  void noneIsLostOnADiskThatTheTierFills() throws IOException {
    try (SmallDisk disk = SmallDisk.ofImage(temporary.resolve("disk"), DISK_BYTES)) {
      Path path = disk.directory();
      try (Device device = open(path).get(0)) {
        fill(path.resolve("ballast"));
        assertThat(device.lacksSpace()).as("all of it is reserved").isFalse();
        loseSpace(path);
        fill(path.resolve("more"));
        assertThat(device.lacksSpace()).isTrue();
      }
    }
  }

  private static List<Device> open(Path path) throws IOException {
    return MappedDevice.openAll(
        new PathSplit(PathSplit.even(List.of(path), (long) REGIONS * REGION), REGION));
  }

  private static void loseSpace(Path path) throws IOException {
    Path file = path.resolve("terrace/regions");
    RegionsSpace.setLength(file, 0);
    RegionsSpace.setLength(file, (long) REGIONS * REGION);
  }

  /** Writes until there is no space left. */
  private static void fill(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(new byte[4096]);
      }
    } catch (IOException e) {
      if (Files.getFileStore(file).getUsableSpace() >= REGION) {
        throw e;
      }
    }
  }

  /** As the child has no test framework around it. */
  private static void check(boolean isTrue, String what, RegionTier<CountedBlock> tier) {
    if (!isTrue) {
      throw new IllegalStateException(what + ", faults=" + tier.stats().events().faults());
    }
  }

  /** Runs in the process whose memory fails. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path path = Path.of(args[0]);
    RegionConfig config = RegionConfig.named("pmem", FILES);
    long[] now = {1};
    RegionTier<CountedBlock> tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(LeaseLedger.counting()),
            open(path),
            config,
            device -> Runnable::run,
            () -> now[0]);
    NumberedBlocks blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
    loseSpace(path);
    Path ballast = path.resolve("ballast");
    fill(ballast);
    int block = 0;
    while (blocks.put(block) == PutOutcome.STORED) {
      block++;
    }
    for (int rest = 0; rest < 3; rest++) {
      check(blocks.put(block) == PutOutcome.UNAVAILABLE, "nothing is written", tier);
      now[0] += config.limits().probeInterval().toNanos();
      tier.tick();
    }
    Map<TierFault, Long> faults = tier.stats().events().faults();
    check(faults.keySet().equals(Set.of(TierFault.NO_SPACE_LEFT)), "no space", tier);
    Files.delete(ballast);
    now[0] += config.limits().probeInterval().toNanos();
    tier.tick();
    for (int i = 1000; i < 1100; i++) {
      check(blocks.put(i) == PutOutcome.STORED, "is written again", tier);
    }
    check(blocks.readAll(1000, 1100) == 100, "and read", tier);
    tier.close();
    check(tier.awaitReleased(Patience.LIMIT), "released", tier);
  }
}
