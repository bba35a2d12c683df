// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.TerraceSettings;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start in a process that has no file descriptor left. */
class FewDescriptorsTest {

  private static final int MOST = 600;

  @TempDir Path temporary;

  @Test
  void aLowLimitIsWarnedOf() {
    assertThat(new Descriptors(10, 10_240).findings(TerraceSettings.OF_NO_TIER)).isEmpty();
    assertThat(new Descriptors(10, 1_024).findings(TerraceSettings.OF_NO_TIER))
        .singleElement()
        .satisfies(warning -> assertThat(warning.what()).contains("may open 1,024 files"));
  }

  @Test
  void theLimitIsNamed() throws IOException {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n " + MOST + " && exec \"$0\" \"$@\"",
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FewDescriptorsTest.class.getName(),
                temporary.resolve("first").toString(),
                temporary.resolve("second").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    assertThat(said).contains("refused: ", "of at most " + MOST + " files open", "LimitNOFILE");
    assertThat(temporary.resolve("first/terrace/regions")).exists();
  }

  /** Runs in the other process. */
  public static void main(String[] args) throws IOException {
    TieredBlockCache first = OpenCaches.make(conf(args[0]));
    // What a refusal needs is loaded by one for another reason.
    tryToOpen(args[0]);
    List<FileInputStream> open = new ArrayList<>();
    try {
      while (true) {
        open.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      System.out.println("full after " + open.size());
    }
    tryToOpen(args[1]);
    for (FileInputStream each : open) {
      each.close();
    }
    first.shutdown();
  }

  private static void tryToOpen(String path) {
    try {
      OpenCaches.make(conf(path)).shutdown();
    } catch (SettingsException e) {
      System.out.println("refused: " + e.getMessage());
    }
  }

  private static Configuration conf(String path) {
    return OpenCaches.conf("hbase.terrace.ssd.paths", path, "hbase.terrace.ssd.size", "16m");
  }
}
