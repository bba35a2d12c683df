// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.Patience;
import dev.terrace.region.ForgedBytes;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process is killed with signal 9 after clients filled all regions, several times over, with
 * bytes that look like records; then some blocks follow in the regions that are used again.
 */
class PmemForgedBytesTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int REGIONS = 16;
  private static final int FORGERIES = 3 * 2 * REGIONS;
  private static final String WRITTEN = "written";

  @TempDir Path temporary;

  private static List<Device> devices(Path path) throws IOException {
    return MappedDevice.openMapped(
        new PathSplit(PathSplit.even(List.of(path), (long) REGIONS * REGION_BYTES), REGION_BYTES));
  }

  private static RegionTier<byte[]> open(List<Device> devices) {
    RegionTier<byte[]> tier =
        RegionTier.open(new ForgedBytes.Codec(), devices, RegionConfig.named("pmem", FILES));
    Awaitility.await().until(tier::isRecovered);
    return tier;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10})
  void noneOfThemIsServedAfterAKill(int genuine) throws Exception {
    Path path = temporary.resolve("cache");
    killAWriter(path, genuine);

    RegionTier<byte[]> tier = open(devices(path));

    assertThat(tier.get(file(ForgedBytes.VICTIM), 0, Access.CACHING)).isNull();
    assertThat(tier.stats().events().faults()).isEmpty();
    for (int i = FORGERIES; i < FORGERIES + genuine; i++) {
      assertThat(tier.get(file(ForgedBytes.file(i)), 0, Access.CACHING))
          .isEqualTo(ForgedBytes.genuine(i));
    }
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
  }

  private static void killAWriter(Path path, int genuine) throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                path.toString(),
                Integer.toString(genuine))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    try {
      assertThat(output.lines()).contains(WRITTEN);
    } finally {
      process.destroyForcibly();
      process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    }
  }

  /** Runs in the process that is killed. */
  static final class Writer {

    private Writer() {}

    public static void main(String[] args) throws IOException {
      Patience.apply();
      List<Device> devices = devices(Path.of(args[0]));
      RegionTier<byte[]> tier = open(devices);
      for (int i = 0; i < FORGERIES; i++) {
        int slot = i % REGIONS;
        byte[] forged = ForgedBytes.block(devices.get(0).memory(slot), slot, 30_000);
        ForgedBytes.put(tier, ForgedBytes.file(i), forged);
      }
      for (int i = FORGERIES; i < FORGERIES + Integer.parseInt(args[1]); i++) {
        ForgedBytes.put(tier, ForgedBytes.file(i), ForgedBytes.genuine(i));
      }
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      out.println(WRITTEN);
      out.close();
      System.in.transferTo(PrintStream.nullOutputStream());
    }
  }
}
