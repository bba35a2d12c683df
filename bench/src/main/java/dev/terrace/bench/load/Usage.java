// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.inside.ServerContentsMXBean;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.MemoryGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What a server, this JVM and the machine have used up to a moment, or between two. A figure that
 * the system does not tell is NaN.
 *
 * @param serverSeconds processor time of the server
 * @param compilerSeconds part of it in which the server's JVM compiled its code
 * @param clientSeconds processor time of this JVM, which runs the clients
 * @param machine time of all cores
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
    ProcessCounters.MachineTime machine,
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
    return new Usage(
        server.processorTime().orElse(Duration.ZERO).toNanos() / 1e9,
        PROC.compilerSeconds(server.pid()),
        client.toNanos() / 1e9,
        PROC.machineTime(),
        gcMillis,
        PROC.contextSwitches(server.pid()),
        PROC.diskBytesRead(server.pid()),
        garbageBytes(server),
        server.memoryUse());
  }

  private static double garbageBytes(HBaseServer server) throws IOException {
    Optional<JmxClient.Bean> contents = server.jmx().bean(ServerContentsMXBean.NAME);
    return contents.isPresent() ? contents.get().number("allocatedBytes") : Double.NaN;
  }

  /** Returns what was used between an earlier moment and this one. */
  public Usage since(Usage earlier) {
    return new Usage(
        serverSeconds - earlier.serverSeconds,
        compilerSeconds - earlier.compilerSeconds,
        clientSeconds - earlier.clientSeconds,
        machine.since(earlier.machine),
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

  /** Reads what Linux counts of processes and of the machine; NaN elsewhere. */
  static final class ProcessCounters {

    private static final List<String> SWITCHES =
        List.of("voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:");

    private static final String DISK_BYTES_READ = "read_bytes: ";

    /** Names of the JVM's compiler threads, as Linux cuts them. */
    private static final List<String> COMPILERS = List.of("C1 CompilerThre", "C2 CompilerThre");

    /** Ticks a second in {@code /proc}, on all of Linux's architectures that Java runs on. */
    private static final double TICKS_A_SECOND = 100;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    private final Path proc;

    ProcessCounters(Path proc) {
      this.proc = proc;
    }

    /** Returns the context switches of the threads that a process has now, since each began. */
    double contextSwitches(long pid) {
      return sumOfThreads(
          pid,
          "status",
          status ->
              status
                  .lines()
                  .filter(line -> SWITCHES.stream().anyMatch(line::startsWith))
                  .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                  .sum());
    }

    /** Returns the seconds of processor time of the threads in which a JVM compiles. */
    double compilerSeconds(long pid) {
      return secondsOf(pid, COMPILERS);
    }

    /** Returns the seconds of processor time of the threads of these names that are there now. */
    double secondsOf(long pid, List<String> names) {
      return sumOfThreads(pid, "stat", stat -> ticks(stat, names)) / TICKS_A_SECOND;
    }

    /** The fields of a thread's stat come after its name, which stands in brackets. */
    private static long ticks(String stat, List<String> names) {
      int nameEnd = stat.lastIndexOf(')');
      if (!names.contains(stat.substring(stat.indexOf('(') + 1, nameEnd))) {
        return 0;
      }
      String[] fields = stat.substring(nameEnd + 2).split(" ", -1);
      return Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
    }

    private double sumOfThreads(long pid, String file, ToLongFunction<String> figure) {
      long sum = 0;
      try (DirectoryStream<Path> threads =
          Files.newDirectoryStream(proc.resolve(Long.toString(pid)).resolve("task"))) {
        for (Path thread : threads) {
          sum += textOfThread(thread.resolve(file)).map(figure::applyAsLong).orElse(0L);
        }
        return sum;
      } catch (IOException | DirectoryIteratorException e) {
        return Double.NaN;
      }
    }

    private static Optional<String> textOfThread(Path file) throws IOException {
      try {
        return Optional.of(Files.readString(file));
      } catch (NoSuchFileException e) {
        // The thread has ended since the list was made.
        return Optional.empty();
      }
    }

    /** Returns the bytes that a process has had read from disks; the page cache's do not count. */
    double diskBytesRead(long pid) {
      try (Stream<String> lines = Files.lines(proc.resolve(pid + "/io"))) {
        return lines
            .filter(line -> line.startsWith(DISK_BYTES_READ))
            .mapToDouble(line -> Long.parseLong(line.substring(DISK_BYTES_READ.length())))
            .findFirst()
            .orElse(Double.NaN);
      } catch (IOException | UncheckedIOException e) {
        return Double.NaN;
      }
    }

    /** Returns the ticks that all cores have had so far. */
    MachineTime machineTime() {
      try (Stream<String> lines = Files.lines(proc.resolve("stat"))) {
        return lines
            .filter(line -> line.startsWith("cpu "))
            .findFirst()
            .map(ProcessCounters::parse)
            .orElse(MachineTime.UNKNOWN);
      } catch (IOException | UncheckedIOException e) {
        return MachineTime.UNKNOWN;
      }
    }

    /**
     * Fields: user, nice, system, idle, iowait, irq, softirq, steal; guests are in user already.
     */
    private static MachineTime parse(String line) {
      long[] ticks =
          Arrays.stream(line.split(" +", -1)).skip(1).limit(8).mapToLong(Long::parseLong).toArray();
      return new MachineTime((double) ticks[3] + ticks[4], Arrays.stream(ticks).sum());
    }

    /** Time of all cores together, in ticks. Waiting for I/O is idle time. */
    record MachineTime(double idle, double all) {

      static final MachineTime UNKNOWN = new MachineTime(Double.NaN, Double.NaN);

      MachineTime since(MachineTime earlier) {
        return new MachineTime(idle - earlier.idle, all - earlier.all);
      }

      double idleShare() {
        return idle / all;
      }
    }
  }
}
