// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.LoadFigures.CacheUse;
import dev.terrace.bench.load.LoadFigures.Usage.ProcessCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UsageTest {

  @TempDir Path proc;

  private void write(String file, String text) throws IOException {
    Files.createDirectories(proc.resolve(file).getParent());
    Files.writeString(proc.resolve(file), text);
  }

  @Test
  void addsTheSwitchesOfAllThreads() throws IOException {
    String status = "Name:\tjava\nvoluntary_ctxt_switches:\t%d\nnonvoluntary_ctxt_switches:\t%d\n";
    write("7/task/11/status", status.formatted(5, 2));
    write("7/task/12/status", status.formatted(100, 3));
    Files.createDirectories(proc.resolve("7/task/13"));
    assertThat(new ProcessCounters(proc).contextSwitches(7)).isEqualTo(110);
  }

  @Test
  void addsTheTimeOfTheCompilers() throws IOException {
    String stat = "11 (%s) S 1 7 7 0 -1 4194304 900 0 2 0 %d %d 0 0 20 0 60 0\n";
    write("7/task/11/stat", stat.formatted("C2 CompilerThre", 300, 20));
    write("7/task/12/stat", stat.formatted("C1 CompilerThre", 70, 10));
    write("7/task/13/stat", stat.formatted("RpcServer (x) y", 5_000, 1_000));
    assertThat(new ProcessCounters(proc).compilerSeconds(7)).isEqualTo(4);
  }

  @Test
  void whatIsReadFromDisksIsWhatStorageGave() throws IOException {
    write("7/io", "rchar: 9000\nsyscr: 7\nread_bytes: 4096\nwrite_bytes: 8192\n");
    assertThat(new ProcessCounters(proc).diskBytesRead(7)).isEqualTo(4096);
  }

  @Test
  void theTimeOfAllCoresHasWaitingAsIdle() throws IOException {
    write("stat", "cpu  100 0 50 800 50 0 3 4 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
    assertThat(new ProcessCounters(proc).idleTicks()).isEqualTo(850);
    assertThat(new ProcessCounters(proc).allTicks()).isEqualTo(1_007);
  }

  @Test
  void readsOfFilesCountAsMisses() {
    CacheUse before = new CacheUse(50, 10, Map.of("dram", 7L));
    CacheUse during = new CacheUse(80, 50, Map.of("dram", 9L, "ssd", 4L)).since(before);

    assertThat(during).isEqualTo(new CacheUse(30, 40, Map.of("dram", 2L, "ssd", 4L)));
    assertThat(during.dataHitRatio()).isEqualTo(30.0 / 70);
    assertThat(before.since(before).dataHitRatio()).isNaN();
  }
}
