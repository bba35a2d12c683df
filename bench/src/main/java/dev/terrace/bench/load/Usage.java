// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.inside.ServerContentsMXBean;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.MemoryGroup;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What a server, this JVM and the machine have used up to a moment, or between two. A figure that
 * the system does not tell is NaN.
 *
 * @param serverSeconds processor time of the server
 * @param compilerSeconds part of it in which the server's JVM compiled its code
 * @param clientSeconds processor time of this JVM, which runs the clients
 * @param idleTicks idle time of all cores; waiting for I/O is idle time
 * @param allTicks time of all cores
 * @param gcMillis time of the server's garbage collections
 * @param contextSwitches of the server's threads; a thread that ends takes its own along
 * @param diskBytesRead what the server had read from disks
 * @param garbageBytes what its threads allocated on the heap; NaN unless it has {@link
 *     ServerContentsMXBean}
 * @param memory what the server was charged for at the last moment, if its memory is limited
 */
public record Usage(
    double serverSeconds,
    double compilerSeconds,
    double clientSeconds,
    double idleTicks,
    double allTicks,
    double gcMillis,
    double contextSwitches,
    double diskBytesRead,
    double garbageBytes,
    Optional<MemoryGroup.Use> memory) {

  private static final ProcessCounters PROC = new ProcessCounters(Path.of("/proc"));

  /** Reads all of it. */
  public static Usage of(HBaseServer server) throws IOException {
    long gcMillis = 0;
    for (JmxClient.Bean collector : server.jmx().beans("java.lang:type=GarbageCollector,*")) {
      gcMillis += collector.number("CollectionTime");
    }
    Duration client = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    Optional<JmxClient.Bean> contents = server.jmx().bean(ServerContentsMXBean.NAME);
    return new Usage(
        server.processorTime().orElse(Duration.ZERO).toNanos() / 1e9,
        PROC.compilerSeconds(server.pid()),
        client.toNanos() / 1e9,
        PROC.idleTicks(),
        PROC.allTicks(),
        gcMillis,
        PROC.contextSwitches(server.pid()),
        PROC.diskBytesRead(server.pid()),
        contents.isPresent() ? contents.get().number("allocatedBytes") : Double.NaN,
        server.memoryUse());
  }

  /** Returns what was used between an earlier moment and this one. */
  public Usage since(Usage earlier) {
    return new Usage(
        serverSeconds - earlier.serverSeconds,
        compilerSeconds - earlier.compilerSeconds,
        clientSeconds - earlier.clientSeconds,
        idleTicks - earlier.idleTicks,
        allTicks - earlier.allTicks,
        gcMillis - earlier.gcMillis,
        Math.max(0, contextSwitches - earlier.contextSwitches),
        diskBytesRead - earlier.diskBytesRead,
        garbageBytes - earlier.garbageBytes,
        memory);
  }

  /** Returns the compilers' part of the server's time, 0 to 1. */
  public double compilingShare() {
    return compilerSeconds / serverSeconds;
  }

  /**
   * Returns the seconds of processor time of a server's threads of a name, of 15 letters at most,
   * that are there now.
   */
  public static double secondsOf(HBaseServer server, String thread) {
    return PROC.secondsOf(server.pid(), thread);
  }

  /** Reads what Linux counts of processes and of the machine; NaN elsewhere. */
  record ProcessCounters(Path proc) {

    private static final Pattern SWITCHES = Pattern.compile("voluntary_ctxt_switches:\\s+(\\d+)");

    /** The page cache's bytes do not count. */
    private static final Pattern DISK_BYTES_READ = Pattern.compile("(?m)^read_bytes: (\\d+)");

    /**
     * Fields: user, nice, system, idle, iowait, irq, softirq, steal; guests are in user already.
     */
    private static final Pattern ALL_CORES = Pattern.compile("^cpu " + " (\\d+)".repeat(8));

    private static final Pattern IDLE_CORES = Pattern.compile("^cpu  \\d+ \\d+ \\d+ (\\d+) (\\d+)");

    /** Names of the JVM's compiler threads, as Linux cuts them. */
    private static final String COMPILERS = "C[12] CompilerThre";

    /** Ticks a second in {@code /proc}, on all of Linux's architectures that Java runs on. */
    private static final double TICKS_A_SECOND = 100;

    /** Returns the context switches of the threads that a process has now, since each began. */
    double contextSwitches(long pid) {
      return sumOfThreads(pid, "status", SWITCHES);
    }

    /** Returns the seconds of processor time of the threads in which a JVM compiles. */
    double compilerSeconds(long pid) {
      return secondsOf(pid, COMPILERS);
    }

    /** Returns the same of the threads whose name is as this pattern. */
    double secondsOf(long pid, String name) {
      // After the name, in brackets, come eleven fields before the time as user and as system.
      Pattern ticks = Pattern.compile("\\(" + name + "\\)(?: \\S+){11} (\\d+) (\\d+)");
      return sumOfThreads(pid, "stat", ticks) / TICKS_A_SECOND;
    }

    double diskBytesRead(long pid) {
      return sum(proc.resolve(pid + "/io"), DISK_BYTES_READ);
    }

    double idleTicks() {
      return sum(proc.resolve("stat"), IDLE_CORES);
    }

    double allTicks() {
      return sum(proc.resolve("stat"), ALL_CORES);
    }

    private double sumOfThreads(long pid, String file, Pattern figures) {
      double sum = 0;
      try (DirectoryStream<Path> threads = Files.newDirectoryStream(proc.resolve(pid + "/task"))) {
        for (Path thread : threads) {
          double figure = sum(thread.resolve(file), figures);
          // The thread may have ended since the list was made.
          sum += Double.isNaN(figure) ? 0 : figure;
        }
        return sum;
      } catch (IOException | DirectoryIteratorException e) {
        return Double.NaN;
      }
    }

    /** Returns the sum of all groups of all matches. */
    private static double sum(Path file, Pattern figures) {
      try {
        return figures
            .matcher(Files.readString(file))
            .results()
            .flatMap(match -> IntStream.rangeClosed(1, match.groupCount()).mapToObj(match::group))
            .mapToLong(Long::parseLong)
            .sum();
      } catch (IOException e) {
        return Double.NaN;
      }
    }
  }
}
