// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.terrace.api.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits of control groups, in made-up trees and in a real one. */
class ControlGroupTest {

  private static final long MB = 1L << 20;
  private static final String NONE_OF_VERSION_1 = "9223372036854771712";

  private static final Path REAL = Path.of("/sys/fs/cgroup/memory");

  @TempDir Path system;

  private void write(String file, String... lines) throws IOException {
    Path path = system.resolve(file);
    Files.createDirectories(path.getParent());
    Files.write(path, List.of(lines));
  }

  private ControlGroup find() {
    return ControlGroup.of(system, "self").orElseThrow();
  }

  @Test
  void aGroupOfVersion2() throws IOException {
    write("proc/self/cgroup", "0::/system.slice/hbase.service");
    write(
        "proc/self/mountinfo",
        "22 1 8:1 / / rw - ext4 /dev/sda rw",
        "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate");
    write("sys/fs/cgroup/system.slice/hbase.service/memory.max", "" + 800 * MB);
    write("sys/fs/cgroup/system.slice/hbase.service/memory.stat", "anon 5", "shmem 4096", "file 9");
    assertThat(find())
        .isEqualTo(
            new ControlGroup(
                system.resolve("sys/fs/cgroup/system.slice/hbase.service"),
                "/system.slice/hbase.service",
                800 * MB));
    assertThat(find().sharedBytes()).hasValue(4096);
  }

  @Test
  void aGroupAboveMayAllowLess() throws IOException {
    write("proc/self/cgroup", "0::/kubepods/pod1/c1");
    write("proc/self/mountinfo", "30 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
    write("sys/fs/cgroup/kubepods/pod1/c1/memory.max", "max");
    write("sys/fs/cgroup/kubepods/pod1/memory.max", "" + 500 * MB);
    write("sys/fs/cgroup/kubepods/memory.max", "" + 900 * MB);
    assertThat(find().limitBytes()).isEqualTo(500 * MB);
    assertThat(find().name()).isEqualTo("/kubepods/pod1");
    assertThat(find().sharedBytes()).isEmpty();
    // That of another process.
    write("proc/77/cgroup", "0::/kubepods");
    assertThat(ControlGroup.of(system, "77").orElseThrow().limitBytes()).isEqualTo(900 * MB);
  }

  @Test
  void aContainerSeesItsOwnGroupAtTheMountPoint() throws IOException {
    write("proc/self/cgroup", "0::/../../outside");
    write("proc/self/mountinfo", "30 22 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup rw");
    write("sys/fs/cgroup/memory.max", "" + 700 * MB);
    assertThat(find().limitBytes()).isEqualTo(700 * MB);
    // Version 1: the mount's root is the group.
    write("proc/self/cgroup", "5:memory:/docker/0a1b", "4:cpu,cpuacct:/docker/0a1b");
    write(
        "proc/self/mountinfo",
        "31 22 0:27 /docker/0a1b /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct",
        "32 22 0:28 /docker/0a1b /sys/fs/cgroup/memory ro master:9 - cgroup cgroup rw,memory");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "" + 600 * MB);
    write("sys/fs/cgroup/memory/memory.stat", "shmem 1", "total_shmem 8192");
    assertThat(find().limitBytes()).isEqualTo(600 * MB);
    assertThat(find().name()).isEqualTo("/docker/0a1b");
    assertThat(find().sharedBytes()).hasValue(8192);
  }

  @Test
  void bothVersionsAtOnce() throws IOException {
    write("proc/self/cgroup", "4:memory:/a/b", "0::/");
    write(
        "proc/self/mountinfo",
        "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
        "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");
    write("sys/fs/cgroup/unified/cgroup.procs", "1");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", NONE_OF_VERSION_1);
    write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "" + 300 * MB);
    write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", NONE_OF_VERSION_1);
    assertThat(find().limitBytes()).isEqualTo(300 * MB);
    assertThat(find().name()).isEqualTo("/a");
  }

  @Test
  void noLimitIsNone() throws IOException {
    assertThat(ControlGroup.of(system, "self")).isEmpty();
    write("proc/self/cgroup", "4:memory:/", "0::/");
    write("proc/self/mountinfo", "35 31 0:32 / /cg rw - cgroup cgroup rw,memory", "odd", "");
    write("cg/memory.limit_in_bytes", NONE_OF_VERSION_1);
    assertThat(ControlGroup.of(system, "self")).isEmpty();
    write("proc/self/cgroup", "odd", "");
    assertThat(ControlGroup.of(system, "self")).isEmpty();
  }

  @Test
  void aProcessInARealGroup() throws IOException {
    assumeThat(Files.isWritable(REAL.resolve("cgroup.procs"))).isTrue();
    Path group = REAL.resolve("terrace-test-" + ProcessHandle.current().pid());
    Files.createDirectory(group);
    try {
      Files.writeString(group.resolve("memory.limit_in_bytes"), "600m");
      Process process =
          new ProcessBuilder(
                  "sh",
                  "-c",
                  "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$0\" \"$@\"",
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-Xmx64m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  ControlGroupTest.class.getName())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
      assertThat(said.strip())
          .isEqualTo(600 * MB + " the control group /" + group.getFileName() + " true");
    } finally {
      Files.delete(group);
    }
  }

  /** Runs in the other process. */
  public static void main(String[] args) {
    MachineMemory memory = MachineMemory.ofThisProcess();
    System.out.println(
        memory.bytes() + " " + memory.owner() + " " + memory.sharedBytes().isPresent());
  }
}
