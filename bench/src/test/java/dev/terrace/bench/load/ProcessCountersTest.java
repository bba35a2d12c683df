// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.load.Usage.ProcessCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessCountersTest {

  @TempDir Path proc;

  @Test
  void addsTheSwitchesOfAllThreads() throws IOException {
    thread("11", 5, 2);
    thread("12", 100, 3);
    assertThat(new ProcessCounters(proc).contextSwitches(7)).isEqualTo(110);
  }

  private void thread(String id, long voluntary, long forced) throws IOException {
    Path thread = proc.resolve("7/task").resolve(id);
    Files.createDirectories(thread);
    Files.writeString(
        thread.resolve("status"),
        "Name:\tjava\nThreads:\t2\nvoluntary_ctxt_switches:\t"
            + voluntary
            + "\nnonvoluntary_ctxt_switches:\t"
            + forced
            + "\n");
  }

  @Test
  void addsTheTimeOfTheCompilers() throws IOException {
    stat("11", "C2 CompilerThre", 300, 20);
    stat("12", "C1 CompilerThre", 70, 10);
    stat("13", "RpcServer (x) y", 5_000, 1_000);
    assertThat(new ProcessCounters(proc).compilerSeconds(7)).isEqualTo(4);
  }

  private void stat(String id, String name, long user, long system) throws IOException {
    Path thread = proc.resolve("7/task").resolve(id);
    Files.createDirectories(thread);
    String fields = ") S 1 7 7 0 -1 4194304 900 0 2 0 " + user + " " + system + " 0 0 20 0 60 0";
    Files.writeString(thread.resolve("stat"), id + " (" + name + fields + "\n");
  }

  @Test
  void whatIsReadFromDisksIsWhatStorageGave() throws IOException {
    Files.createDirectories(proc.resolve("7"));
    Files.writeString(
        proc.resolve("7/io"), "rchar: 9000\nsyscr: 7\nread_bytes: 4096\nwrite_bytes: 8192\n");
    assertThat(new ProcessCounters(proc).diskBytesRead(7)).isEqualTo(4096);
  }

  @Test
  void aProcessThatIsNotThereHasNoSwitches() {
    assertThat(new ProcessCounters(proc).contextSwitches(7)).isNaN();
    assertThat(new ProcessCounters(proc).compilerSeconds(7)).isNaN();
    assertThat(new ProcessCounters(proc).diskBytesRead(7)).isNaN();
  }

  @Test
  void theIdleShareIsThatOfAllCoresBetweenTwoMoments() throws IOException {
    Files.writeString(
        proc.resolve("stat"), "cpu  100 0 50 800 50 0 0 0 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
    var before = new ProcessCounters(proc).machineTime();
    Files.writeString(proc.resolve("stat"), "cpu  160 0 60 820 60 0 0 0 9 9\n");
    var after = new ProcessCounters(proc).machineTime();
    assertThat(after.since(before).idleShare()).isCloseTo(0.3, within(1e-9));
    assertThat(after.since(after).idleShare()).isNaN();
  }
}
