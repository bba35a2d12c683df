// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A JVM that ends by signal 9, at the latest when this is closed. */
final class KilledProcess implements AutoCloseable {

  private final Process process;
  private final Path output;

  private KilledProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts one.
   *
   * @param main the class with its {@code main}
   * @param output the file to which it prints
   */
  static KilledProcess start(Class<?> main, Path output, Object... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    for (Object arg : args) {
      command.add(arg.toString());
    }
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectErrorStream(true)
            .start();
    return new KilledProcess(process, output);
  }

  /** Waits until something is so, which it has to be while the process lives. */
  void await(Callable<Boolean> condition) throws IOException {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> !process.isAlive() || condition.call());
    assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
  }

  /** Kills it after a while, through which it has to live. */
  void kill(long afterMillis) throws IOException, InterruptedException {
    boolean ended = process.waitFor(afterMillis, TimeUnit.MILLISECONDS);
    close();
    assertThat(ended).as(Files.readString(output)).isFalse();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
  }
}
