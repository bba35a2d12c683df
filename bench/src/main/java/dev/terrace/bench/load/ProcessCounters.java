/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.StringTokenizer;
import java.util.stream.Stream;

/** Reads what Linux counts of processes and of the machine; elsewhere it finds nothing. */
final class ProcessCounters {

  private static final List<String> SWITCHES =
      List.of("voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:");

  /** What Linux shows of the names that the JVM gives its two compilers' threads. */
  private static final List<String> COMPILERS = List.of("C1 CompilerThre", "C2 CompilerThre");

  /** A tick as {@code /proc} tells them, on all of Linux's architectures that Java runs on. */
  private static final long TICK_MILLIS = 10;

  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;

  private final Path proc;

  ProcessCounters(Path proc) {
    this.proc = proc;
  }

  /** Returns the context switches of the threads that a process has now, since each began. */
  OptionalLong contextSwitches(long pid) {
    Path tasks = proc.resolve(Long.toString(pid)).resolve("task");
    try (Stream<Path> threads = Files.list(tasks)) {
      return OptionalLong.of(threads.mapToLong(ProcessCounters::switchesOfThread).sum());
    } catch (IOException | UncheckedIOException e) {
      return OptionalLong.empty();
    }
  }

  private static long switchesOfThread(Path thread) {
    try {
      return Files.readAllLines(thread.resolve("status")).stream()
          .filter(line -> SWITCHES.stream().anyMatch(line::startsWith))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
          .sum();
    } catch (NoSuchFileException e) {
      // The thread has ended since the list was made.
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the processor time of the threads in which a JVM compiles. */
  Optional<Duration> compilerTime(long pid) {
    Path tasks = proc.resolve(Long.toString(pid)).resolve("task");
    try (Stream<Path> threads = Files.list(tasks)) {
      long ticks = threads.mapToLong(ProcessCounters::ticksOfCompiler).sum();
      return Optional.of(Duration.ofMillis(TICK_MILLIS * ticks));
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /** The fields of a thread's stat come after its name, which stands in brackets. */
  private static long ticksOfCompiler(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      int nameEnd = stat.lastIndexOf(')');
      if (!COMPILERS.contains(stat.substring(stat.indexOf('(') + 1, nameEnd))) {
        return 0;
      }
      List<String> fields = List.of(stat.substring(nameEnd + 2).split(" ", -1));
      return Long.parseLong(fields.get(USER_TICKS)) + Long.parseLong(fields.get(SYSTEM_TICKS));
    } catch (NoSuchFileException e) {
      // The thread has ended since the list was made.
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the time that all cores have had so far. */
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

  /** Fields: user, nice, system, idle, iowait, irq, softirq, steal; guests are in user already. */
  private static MachineTime parse(String line) {
    StringTokenizer fields = new StringTokenizer(line.substring(line.indexOf(' ')));
    long idle = 0;
    long all = 0;
    for (int field = 0; field < 8 && fields.hasMoreTokens(); field++) {
      long ticks = Long.parseLong(fields.nextToken());
      all += ticks;
      idle += field == 3 || field == 4 ? ticks : 0;
    }
    return new MachineTime(idle, all);
  }

  /**
   * Time of all cores together, in the system's ticks.
   *
   * @param idle time in which they did nothing, waiting for I/O included
   * @param all all time
   */
  record MachineTime(long idle, long all) {

    static final MachineTime UNKNOWN = new MachineTime(0, 0);

    /** Returns the idle part of the time since an earlier moment, 0 to 1. */
    OptionalDouble idleShareSince(MachineTime earlier) {
      long elapsed = all - earlier.all;
      return elapsed <= 0
          ? OptionalDouble.empty()
          : OptionalDouble.of((double) (idle - earlier.idle) / elapsed);
    }
  }
}
