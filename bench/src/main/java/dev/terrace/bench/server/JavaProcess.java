// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.function.IOSupplier;
import org.apache.commons.io.input.ReversedLinesFileReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Java program in a process of its own. Its output goes to a file, and {@link GuardedMain} ends
 * it when this JVM is gone. Thread-safe.
 */
public class JavaProcess {

  private static final Logger LOG = LoggerFactory.getLogger(JavaProcess.class);

  private static final Duration POLL = Duration.ofMillis(200);

  /** Only this many last lines of a log are read. */
  private static final int LOG_LINES = 2_000;

  private static final List<String> CULPRITS =
      List.of(
          "Caused by:",
          " ERROR ",
          " FATAL ",
          "OutOfMemoryError",
          "No space left on device",
          "Disk quota exceeded");

  private record Launched(Process process, Optional<MemoryGroup> group) {}

  private final String name;
  private final Path log;

  /** The latest process; null before the first start. */
  private volatile Launched launched;

  /**
   * No process yet.
   *
   * @param name for messages
   * @param log the file for its output, which is appended
   */
  public JavaProcess(String name, Path log) {
    this.name = name;
    this.log = log;
  }

  public String name() {
    return name;
  }

  public Path log() {
    return log;
  }

  /**
   * Starts a program with the JDK that runs this one; the previous process must have ended. If its
   * memory is limited it runs in its own {@link MemoryGroup}, which {@link #kill} and {@link #stop}
   * remove.
   */
  public final void launch(
      Path directory,
      List<Path> classPath,
      List<String> jvmFlags,
      List<String> mainAndArguments,
      OptionalLong memory)
      throws IOException {
    List<String> words = new ArrayList<>(jvmFlags);
    words.add("-cp");
    words.add(
        unpackGuard(directory.resolve("guard"))
            + File.pathSeparator
            + classPath.stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)));
    words.add(GuardedMain.class.getName());
    words.addAll(mainAndArguments);
    Path argumentFile = directory.resolve("java.args");
    Files.write(argumentFile, words.stream().map(JavaProcess::quote).toList());
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Stream<String> command = Stream.of(java.toString(), "@" + argumentFile);
    MemoryGroup group = memory.isPresent() ? MemoryGroup.create(memory.getAsLong()) : null;
    try {
      Process process =
          new ProcessBuilder(
                  Stream.concat(group == null ? Stream.empty() : group.starting(), command)
                      .toList())
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      launched = new Launched(process, Optional.ofNullable(group));
    } catch (IOException e) {
      if (group != null) {
        group.close();
      }
      throw e;
    }
  }

  private Process process() {
    return launched.process;
  }

  /** Returns the memory it is charged for, if that is limited. */
  public Optional<MemoryGroup.Use> memoryUse() throws IOException {
    Optional<MemoryGroup> group = launched.group;
    return group.isPresent() ? Optional.of(group.get().use()) : Optional.empty();
  }

  /** Returns the id of the last process started. */
  public long pid() {
    return process().pid();
  }

  /** Returns the processor time it has used, or nothing if the system does not report it. */
  public Optional<Duration> processorTime() {
    return process().info().totalCpuDuration();
  }

  public boolean isAlive() {
    return launched != null && process().isAlive();
  }

  /** Sends a signal, such as STOP, for which the JDK has no call. */
  public void signal(String name) throws IOException {
    try {
      // The shell's own kill, which also exists where no program of that name is installed.
      String unused = runToEnd("sh", "-c", "kill -" + name + " " + pid());
    } catch (IOException e) {
      throw new IOException("process " + pid() + " did not get SIG" + name, e);
    }
  }

  /**
   * Runs a system program and returns its output. An interrupt of the calling thread does not cut
   * it short, so it can be used for cleanup.
   *
   * @throws IOException if it is absent or fails; the message has its output
   */
  public static String runToEnd(String... words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", words) + ": " + said);
    }
    return said;
  }

  public int exitValue() {
    return process().exitValue();
  }

  /** Waits for the process to end; returns whether it did within the time. */
  public boolean awaitEnd(Duration limit) {
    try {
      return process().waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !isAlive();
    }
  }

  /**
   * Waits until something holds. A condition that throws an {@link IOException} does not hold yet.
   *
   * @param what what is awaited, for the message of a failure
   * @throws RunFailure if the process ends first, or the time is over
   */
  public void await(String what, Duration limit, IOSupplier<Boolean> condition) throws RunFailure {
    long start = System.nanoTime();
    IOException newest = null;
    while (true) {
      try {
        if (condition.get()) {
          return;
        }
        newest = null;
      } catch (IOException e) {
        newest = e;
      }
      if (awaitEnd(POLL)) {
        throw failure("ended with exit value " + exitValue() + " before " + what, newest);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw failure("was no longer waited for: the waiting thread was interrupted", newest);
      }
      if (System.nanoTime() - start > limit.toNanos()) {
        throw failure("runs, but not within " + limit.toSeconds() + " s: " + what, newest);
      }
    }
  }

  /**
   * Asks the process to end, kills it after the time, and returns when it has ended; true if it
   * ended by itself.
   */
  public boolean stop(Duration patience) {
    // Not Process.destroy(): that also closes the child's standard input, which has a meaning of
    // its own here.
    process().toHandle().destroy();
    boolean ended = awaitEnd(patience);
    kill();
    return ended;
  }

  /** Ends the process, if there is one, as {@code kill -9} does. Returns when it has ended. */
  public void kill() {
    Launched newest = launched;
    if (newest == null) {
      return;
    }
    newest.process.destroyForcibly();
    newest.process.onExit().join();
    try {
      if (newest.group.isPresent()) {
        newest.group.get().close();
      }
    } catch (IOException e) {
      LOG.warn("a control group for memory stays, as it cannot be removed", e);
    }
  }

  private static Path unpackGuard(Path directory) throws IOException {
    String resource = GuardedMain.class.getName().replace('.', '/') + ".class";
    Path target = directory.resolve(resource);
    Files.createDirectories(target.getParent());
    try (InputStream in = GuardedMain.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("the class path does not hold " + resource);
      }
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
    }
    return directory;
  }

  private static String quote(String word) {
    return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Returns a failure that names the process, its last log lines, and the log. */
  public RunFailure failure(String what) {
    return failure(what, null);
  }

  private RunFailure failure(String what, Exception cause) {
    return new RunFailure(explain(name + " " + what), cause);
  }

  /**
   * Returns a failure in one line: the first line of a message, the newest error in the log, and
   * the log.
   */
  String explain(String message) {
    return message.lines().findFirst().orElse("")
        + newestError(log).map(line -> "; it says: " + line).orElse("")
        + "; its log is "
        + log;
  }

  private static Optional<String> newestError(Path log) {
    try (ReversedLinesFileReader newestFirst =
        ReversedLinesFileReader.builder().setPath(log).setCharset(StandardCharsets.UTF_8).get()) {
      return newestFirst.readLines(LOG_LINES).stream()
          .filter(line -> CULPRITS.stream().anyMatch(line::contains))
          .findFirst()
          .map(String::strip);
    } catch (IOException e) {
      // The log does not exist yet.
      return Optional.empty();
    }
  }

  /**
   * Runs the main method of another class, and ends this process when its starter is gone.
   *
   * <p>The starter holds the other end of this process's standard input and never writes to it. The
   * system closes that pipe however the starter ends, even by {@code kill -9}, so the end of the
   * input means that nobody is left to stop this process. The class uses nothing but the JDK: it is
   * the only class of Terrace's tools on the server's class path.
   */
  static final class GuardedMain {

    private GuardedMain() {}

    /** Runs the class named by the first argument, with the remaining arguments. */
    public static void main(String[] arguments) throws Throwable {
      Thread guard = new Thread(GuardedMain::haltAtEndOfInput, "terrace-parent-guard");
      guard.setDaemon(true);
      guard.start();
      try {
        Class.forName(arguments[0])
            .getMethod("main", String[].class)
            .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    private static void haltAtEndOfInput() {
      try {
        System.in.transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        System.err.println("standard input broke, which is taken as the end of the starter: " + e);
      }
      // Not an exit: the server's shutdown hooks may wait for each other, and what it has written
      // is in its logs.
      Runtime.getRuntime().halt(143);
    }
  }
}
