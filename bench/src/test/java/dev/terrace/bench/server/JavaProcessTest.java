// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JavaProcessTest {

  @TempDir Path folder;

  static List<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  private static JavaProcess start(Path folder, String... mainAndArguments) throws IOException {
    return start(folder, OptionalLong.empty(), mainAndArguments);
  }

  private static JavaProcess start(Path folder, OptionalLong memory, String... mainAndArguments)
      throws IOException {
    JavaProcess process = new JavaProcess("test", folder.resolve("log"));
    process.launch(folder, classPath(), List.of("-Xmx64m"), List.of(mainAndArguments), memory);
    return process;
  }

  @Test
  void runsTheProgramAndKeepsItsOutput() throws Exception {
    Path spaces = Files.createDirectory(folder.resolve("with spaces and \"quotes\""));
    JavaProcess process = start(spaces, Says.class.getName(), "hello there");
    assertThat(process.awaitEnd(Patience.LIMIT)).isTrue();
    assertThat(process.exitValue()).isEqualTo(3);
    assertThat(spaces.resolve("log")).hasContent("says hello there");
  }

  @Test
  void aFailureQuotesTheNewestErrorNearTheEndOfTheLog() throws Exception {
    JavaProcess process = new JavaProcess("rs1", folder.resolve("log"));
    String ended = "rs1 ended; its log is " + process.log();
    assertThat(process.failure("ended")).hasMessage(ended);
    Files.writeString(process.log(), " ERROR one\n  ERROR two\nfine\n");
    assertThat(process.failure("ended\n at x"))
        .hasMessage("rs1 ended; it says: ERROR two; its log is " + process.log());
    Files.writeString(process.log(), "fine\n".repeat(10_000), StandardOpenOption.APPEND);
    assertThat(process.failure("ended")).hasMessage(ended);
  }

  @Test
  void stopsAProgramThatRuns() throws Exception {
    JavaProcess process = start(folder, Waits.class.getName());
    await().until(() -> Files.readString(folder.resolve("log")).contains("waits"));
    assertThat(process.isAlive()).isTrue();
    assertThat(process.memoryUse()).isEmpty();
    process.stop(Patience.LIMIT);
    assertThat(process.isAlive()).isFalse();
    process.stop(Patience.LIMIT);
    process.kill();
  }

  @Test
  void aProcessWithLimitedMemoryIsInAGroupThatGoesWithIt() throws Exception {
    MemoryGroupTest.assumeGroups();
    long limit = 512L << 20;
    JavaProcess process = start(folder, OptionalLong.of(limit), Waits.class.getName());
    await().until(() -> Files.readString(folder.resolve("log")).contains("waits"));
    MemoryGroup.Use use = process.memoryUse().orElseThrow();
    assertThat(use.residentBytes()).isBetween(8L << 20, limit);
    String groups = Files.readString(Path.of("/proc", Long.toString(process.pid()), "cgroup"));
    assertThat(groups).contains("/terrace-bench-");
    process.kill();
    assertThatThrownBy(process::memoryUse).isInstanceOf(NoSuchFileException.class);
    process.kill();

    JavaProcess ended = start(folder, OptionalLong.of(limit), Says.class.getName(), "hello there");
    assertThat(ended.awaitEnd(Patience.LIMIT)).isTrue();
    assertThat(ended.memoryUse()).isPresent();
    ended.stop(Patience.LIMIT);
    assertThatThrownBy(ended::memoryUse).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aProcessThatGotStopWaitsForCont() throws Exception {
    JavaProcess process = start(folder, Waits.class.getName());
    Path state = Path.of("/proc", Long.toString(process.pid()), "stat");
    assumeThat(state).as("Linux tells the state of a process").exists();
    await().until(() -> Files.readString(folder.resolve("log")).contains("waits"));

    process.signal("STOP");
    await().until(() -> Files.readString(state).contains(") T "));
    process.signal("CONT");
    await().until(() -> Files.readString(state).contains(") S "));

    process.signal("STOP");
    process.kill();
    assertThat(process.isAlive()).isFalse();
    assertThatThrownBy(() -> process.signal("CONT"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("process " + process.pid() + " did not get SIGCONT");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aChildEndsWithAParentThatIsKilledOrExits(boolean isKilled) throws Exception {
    JavaProcess parent = start(folder, StartsAChild.class.getName(), folder.toString());
    Path childPid = folder.resolve("child/pid");
    await().until(() -> Files.exists(childPid));
    ProcessHandle child =
        ProcessHandle.of(Long.parseLong(Files.readString(childPid))).orElseThrow();
    assertThat(child.isAlive()).isTrue();

    if (isKilled) {
      parent.kill();
    } else {
      parent.stop(Patience.LIMIT);
    }
    await().until(() -> !child.isAlive());
  }

  /** Prints its argument and ends. */
  public static final class Says {
    private Says() {}

    public static void main(String[] arguments) {
      System.out.println("says " + String.join(",", arguments));
      System.exit(3);
    }
  }

  /** Runs until it is stopped. */
  public static final class Waits {
    private Waits() {}

    public static void main(String[] arguments) throws InterruptedException {
      System.out.println("waits");
      new CountDownLatch(1).await();
    }
  }

  /** Starts a program that waits, writes its process id into {@code child/pid}, and waits too. */
  public static final class StartsAChild {
    private StartsAChild() {}

    public static void main(String[] arguments) throws Exception {
      Path folder = Files.createDirectories(Path.of(arguments[0], "child"));
      JavaProcess child = start(folder, Waits.class.getName());
      Path unfinished = Files.writeString(folder.resolve("pid.new"), Long.toString(child.pid()));
      Files.move(unfinished, folder.resolve("pid"));
      new CountDownLatch(1).await();
    }
  }
}
