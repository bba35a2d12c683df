// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
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
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A tier whose memory fails under it: the file is cut off, so that each access behind its end is a
 * SIGBUS. In a process of its own, which must survive that.
 */
class FailingMemoryTest {

  private static final int REGION = 256 << 10;
  private static final int REGIONS = 32;
  private static final int BLOCK = 10_000;

  @TempDir Path temporary;

  private String run(String what, String... jvmFlags) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx128m",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null"));
    command.addAll(List.of(jvmFlags));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            temporary.resolve("cache").toString(),
            what));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "put", "recover", "hit", "head"})
  void theProcessSurvives(String what) throws IOException {
    assertThat(run(what)).contains("survived " + what);
  }

  @Test
  void aDeviceThatIsCutOffGoesOutOfServiceAndItsVerifiedBlocksAreMisses() throws IOException {
    assertThat(run("tick")).contains("survived tick");
  }

  /** Compiled code goes on behind an access that fails, and on JDK 17 the error comes later. */
  @Tag("long")
  @Test
  void noPutThrowsWhenItsCodeIsCompiled() throws IOException {
    assertThat(run("put", "-Xbatch", "-XX:CompileThresholdScaling=0.1")).contains("survived put");
  }

  /** Runs in the process whose memory fails. */
  static final class Child {

    private Child() {}

    private static final RegionConfig CONFIG = RegionConfig.named("pmem", FILES);
    private static long now = 1;
    private static RegionTier<CountedBlock> tier;
    private static NumberedBlocks blocks;

    private static void open(Path path) throws IOException {
      PathSplit config =
          new PathSplit(PathSplit.even(List.of(path), (long) REGIONS * REGION), REGION);
      tier =
          new RegionTier<>(
              CountedBlockCodec.sharing(LeaseLedger.counting()),
              MappedDevice.openMapped(config),
              CONFIG,
              device -> Runnable::run,
              () -> now);
      blocks = new NumberedBlocks(tier, "file", BLOCK);
      tier.start();
    }

    private static void close() throws InterruptedException {
      tier.close();
      check(tier.awaitReleased(Patience.LIMIT), "released");
    }

    private static void cutOff(Path path, int regions) throws IOException {
      try (RandomAccessFile file =
          new RandomAccessFile(path.resolve("terrace/regions").toFile(), "rw")) {
        file.setLength((long) regions * REGION);
      }
    }

    /** As the child has no test framework around it. */
    private static void check(boolean isTrue, String what) {
      if (!isTrue) {
        throw new IllegalStateException(what + ", faults=" + tier.stats().events().faults());
      }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
      Path path = Path.of(args[0]);
      open(path);
      int put = blocks.putAll(0, 500);
      check(put == 500, "filled");
      switch (args[1]) {
        case "read" -> read(path);
        case "put" -> put(path);
        case "recover" -> recover(path);
        case "tick" -> tick(path);
        case "hit" -> hit(path);
        case "head" -> head(path);
        default -> throw new IllegalArgumentException(args[1]);
      }
      System.out.println("survived " + args[1]);
    }

    /** Blocks that were recovered are verified at the first read. */
    private static void read(Path path) throws IOException, InterruptedException {
      close();
      open(path);
      check(tier.blockCount() == 500, "recovered");
      cutOff(path, 1);
      int found = blocks.readAll(0, 500);
      check(found < 50, "misses");
      check(blocks.count(TierFault.READ_ERROR) == 5, "read errors");
      check(blocks.count(TierFault.DEVICE_OUT) == 1, "out of service");
      check(tier.blockCount() == 500, "nothing is dropped");
      now += CONFIG.limits().probeInterval().toNanos();
      tier.tick();
      check(blocks.count(TierFault.DEVICE_BACK) == 0, "stays out");
    }

    /** The first bytes of blocks, as a prefetch asks for. No error may come, now or later. */
    private static void head(Path path) throws IOException {
      ByteBuffer head = ByteBuffer.allocate(33);
      for (int i = 0; i < 20_000; i++) {
        check(tier.head(file("file"), i % 500, head), "head");
      }
      cutOff(path, 1);
      int found = 0;
      for (int i = 0; i < 500; i++) {
        found += tier.head(file("file"), i, head) ? 1 : 0;
        later = new int[16][1];
      }
      check(found < 50, "found=" + found);
      check(blocks.count(TierFault.READ_ERROR) == 5, "read errors");
      check(blocks.count(TierFault.DEVICE_OUT) == 1, "out of service");
    }

    /** Making an array of arrays brings an error that an access before it left behind. */
    @SuppressWarnings("UnusedVariable")
    private static volatile Object later;

    /** Puts store into memory that is not there. */
    private static void put(Path path) throws IOException, InterruptedException {
      cutOff(path, 0);
      Map<PutOutcome, Integer> outcomes = new EnumMap<>(PutOutcome.class);
      for (int i = 1000; i < 3000; i++) {
        outcomes.merge(blocks.put(i), 1, Integer::sum);
      }
      check(!outcomes.containsKey(PutOutcome.STORED), "stored: " + outcomes);
      check(outcomes.get(PutOutcome.UNAVAILABLE) > 1900, "unavailable: " + outcomes);
      check(blocks.count(TierFault.WRITE_ERROR) >= 5, "write errors");
      close();
    }

    /** The file is cut off between its opening and the recovery. */
    private static void recover(Path path) throws IOException, InterruptedException {
      close();
      PathSplit config =
          new PathSplit(PathSplit.even(List.of(path), (long) REGIONS * REGION), REGION);
      tier =
          new RegionTier<>(
              CountedBlockCodec.sharing(LeaseLedger.counting()),
              MappedDevice.openMapped(config),
              CONFIG,
              device -> Runnable::run,
              () -> now);
      cutOff(path, 4);
      tier.start();
      check(!tier.isRecovered(), "waits");
      check(tier.stats().events().faults().get(TierFault.UNREAD_REGION) > 0, "unread");
      check(tier.stats().events().faults().get(TierFault.DEVICE_OUT) == 1, "out of service");
    }

    /** Hits on verified blocks: what fails before the reader has the memory is a read error. */
    private static void hit(Path path) throws IOException {
      cutOff(path, 1);
      int misses = 0;
      for (int i = 0; i < 500; i++) {
        try {
          misses += blocks.read(i) ? 0 : 1;
        } catch (InternalError e) {
          // The reader's own access, which the tier cannot guard.
          check(e.getMessage().contains("unsafe memory access"), e.toString());
        }
      }
      check(misses > 0, "misses");
      check(blocks.count(TierFault.READ_ERROR) >= 5, "read errors");
      check(blocks.count(TierFault.DEVICE_OUT) == 1, "out of service");
    }

    /** What was verified is served without a look at it, until the device is found cut off. */
    private static void tick(Path path) throws IOException {
      cutOff(path, 1);
      for (int i = 0; i < 5; i++) {
        tier.tick();
      }
      check(blocks.count(TierFault.DEVICE_OUT) == 1, "out of service");
      check(blocks.readAll(0, 500) == 0, "misses");
    }
  }
}
