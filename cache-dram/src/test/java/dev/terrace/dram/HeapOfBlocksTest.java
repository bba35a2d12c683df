// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The heap that a tier counts for its blocks is what they take, whatever the JVM's layout. */
class HeapOfBlocksTest {

  private static final int BLOCKS = 500_000;
  private static final int WARM_UP = 1_000;
  private static final BlockTraits TRAITS = new BlockTraits(0, Residency.ORDINARY);

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseCompressedOops", "-XX:-UseCompressedOops"})
  void isCountedAsItIs(String references) throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx512m",
                "-XX:MaxDirectMemorySize=1g",
                "-XX:+UseSerialGC",
                references,
                "-cp",
                System.getProperty("java.class.path"),
                HeapOfBlocksTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    assertThat(process.exitValue()).as(said).isZero();
    String last = said.lines().reduce((first, then) -> then).orElseThrow();
    try (Scanner figures = new Scanner(last).useLocale(Locale.ROOT)) {
      double counted = figures.nextDouble();
      assertThat(figures.nextDouble()).isBetween(0.85 * counted, 1.05 * counted);
    }
  }

  /** Prints the heap of a block that the tier counts, and the one that it takes. */
  public static void main(String[] args) {
    DramConfig config = new DramConfig(BLOCKS * 600L, 0);
    try (DramTier<HollowBlock> tier =
        new DramTier<>(
            new HollowBlock.Codec(),
            config,
            DramMemory.atOnce(new UnpooledByteBufAllocator(true)))) {
      put(tier, 0, WARM_UP);
      long before = usedHeapBytes();
      put(tier, WARM_UP, WARM_UP + BLOCKS);
      double taken = (double) (usedHeapBytes() - before) / BLOCKS;
      System.out.println(
          (double) tier.stats().space().heapBytes() / tier.blockCount() + " " + taken);
    }
  }

  private static void put(DramTier<HollowBlock> tier, int from, int to) {
    String file = "";
    for (int block = from; block < to; block++) {
      file = block % 1_000 == 0 ? "file-" + block : file;
      HollowBlock made = HollowBlock.of(400);
      PutOutcome outcome = tier.put(file(file), block, made, TRAITS, 0);
      made.release();
      if (outcome != PutOutcome.STORED) {
        throw new IllegalStateException("block " + block + ": " + outcome);
      }
    }
  }

  private static long usedHeapBytes() {
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
