// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.inside.ServerContents.ServerContentsMXBean;
import dev.terrace.bench.report.Summary.LatencyNanos;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.MemoryGroup;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One run of a load generator against one server, with the resources it used.
 *
 * @param outcome what the clients saw
 * @param used the resources of server and machine
 * @param cache cache hits and file reads
 */
public record LoadFigures(LoadOutcome outcome, Usage used, CacheUse cache) {

  double perOperation(double figure) {
    return figure / Math.max(1, outcome.operations());
  }

  public double serverMicrosPerOperation() {
    return perOperation(1e6 * used.serverSeconds());
  }

  /** Returns the share of data blocks that came from the cache, 0 to 1; NaN without any. */
  public double dataHitRatio() {
    return cache.dataHitRatio();
  }

  /** Returns the idle share of all cores' time, 0 to 1; NaN if the system does not report it. */
  public double idleShare() {
    return used.idleTicks() / used.allTicks();
  }

  public double switchesPerOperation() {
    return perOperation(used.contextSwitches());
  }

  /** Returns the bytes that the server allocated on its heap for each operation. */
  public double garbagePerOperation() {
    return perOperation(used.garbageBytes());
  }

  /**
   * The clients' figures of one run.
   *
   * @param elapsed how long it took
   * @param operations completed operations, including failed ones
   * @param errors how many of them failed
   * @param latency the time of one operation
   */
  public record LoadOutcome(Duration elapsed, long operations, long errors, LatencyNanos latency) {

    public double operationsPerSecond() {
      return (operations - errors) / Math.max(1e-9, elapsed.toNanos() / 1e9);
    }
  }

  /**
   * HBase's counters of its block cache, of any kind, and the hits of Terrace's tiers.
   *
   * <p>HBase's counter of misses is left out: {@code CombinedBlockCache} counts most misses twice.
   * HBase counts each block that it reads from a file once, with any cache.
   *
   * @param dataHits lookups that found a data block
   * @param fileReads blocks of all kinds that were read from files
   * @param tierHits hits by name of tier, in the order of the tiers; empty without Terrace
   */
  record CacheUse(long dataHits, long fileReads, Map<String, Long> tierHits) {

    private static final String CACHE = "Hadoop:service=HBase,name=RegionServer,sub=Server";
    private static final String FILES = "Hadoop:service=HBase,name=RegionServer,sub=IO";

    /**
     * Reads the counters, which are about two seconds old. Returns nothing until the server
     * publishes them, some seconds after its start.
     */
    static Optional<CacheUse> read(JmxClient jmx) throws IOException {
      Optional<JmxClient.Bean> cache =
          jmx.bean(CACHE).filter(bean -> bean.has("blockCacheDataHitCount"));
      Optional<JmxClient.Bean> files =
          jmx.bean(FILES).filter(bean -> bean.has("FsReadTime_num_ops"));
      if (cache.isEmpty() || files.isEmpty()) {
        return Optional.empty();
      }
      Map<String, Long> tierHits = new LinkedHashMap<>();
      TerraceStats.read(jmx)
          .ifPresent(
              stats -> stats.tiers().forEach(tier -> tierHits.put(tier.name(), tier.hits())));
      return Optional.of(
          new CacheUse(
              cache.get().number("blockCacheDataHitCount"),
              files.get().number("FsReadTime_num_ops") + files.get().number("FsPReadTime_num_ops"),
              tierHits));
    }

    CacheUse since(CacheUse earlier) {
      Map<String, Long> hits = new LinkedHashMap<>(tierHits);
      hits.replaceAll((tier, count) -> count - earlier.tierHits.getOrDefault(tier, 0L));
      return new CacheUse(dataHits - earlier.dataHits, fileReads - earlier.fileReads, hits);
    }

    /** Returns the share of a tier in the hits of all tiers, 0 to 1; NaN without that tier. */
    double shareOfHits(String tier) {
      double all = tierHits.values().stream().mapToLong(Long::longValue).sum();
      return tierHits.containsKey(tier) ? tierHits.get(tier) / Math.max(1, all) : Double.NaN;
    }

    /**
     * Returns the share of data blocks that came from the cache, 0 to 1; NaN without lookups. It is
     * never too high, because all file reads count as reads of data blocks.
     */
    double dataHitRatio() {
      long asked = dataHits + fileReads;
      return asked == 0 ? Double.NaN : (double) dataHits / asked;
    }
  }

  /**
   * What a server and the machine have used up to a moment, or between two. A figure that the
   * system does not report is NaN.
   *
   * @param serverSeconds processor time of the server
   * @param compilerSeconds part of it in which the server's JVM compiled
   * @param idleTicks idle time of all cores, including waits for I/O
   * @param allTicks time of all cores
   * @param contextSwitches of the server's live threads; those of ended threads are lost
   * @param diskBytesRead what the server read from disks
   * @param garbageBytes what its threads allocated on the heap; NaN unless it has {@link
   *     ServerContentsMXBean}
   * @param memory what the server was charged for at the last moment, if its memory is limited
   */
  public record Usage(
      double serverSeconds,
      double compilerSeconds,
      double idleTicks,
      double allTicks,
      double contextSwitches,
      double diskBytesRead,
      double garbageBytes,
      Optional<MemoryGroup.Use> memory) {

    private static final ProcessCounters PROC = new ProcessCounters(Path.of("/proc"));

    public static Usage of(HBaseServer server) throws IOException {
      Optional<JmxClient.Bean> contents = server.jmx().bean(ServerContentsMXBean.NAME);
      return new Usage(
          server.processorTime().orElse(Duration.ZERO).toNanos() / 1e9,
          PROC.compilerSeconds(server.pid()),
          PROC.idleTicks(),
          PROC.allTicks(),
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
          idleTicks - earlier.idleTicks,
          allTicks - earlier.allTicks,
          Math.max(0, contextSwitches - earlier.contextSwitches),
          diskBytesRead - earlier.diskBytesRead,
          garbageBytes - earlier.garbageBytes,
          memory);
    }

    /** Returns the share of compilation in the server's time, 0 to 1. */
    public double compilingShare() {
      return compilerSeconds / serverSeconds;
    }

    /**
     * Returns the processor seconds of a server's live threads of a name, which has at most 15
     * letters.
     */
    public static double secondsOf(HBaseServer server, String thread) {
      return PROC.secondsOf(server.pid(), thread);
    }

    /** Reads the counters of Linux for processes and for the machine; NaN elsewhere. */
    record ProcessCounters(Path proc) {

      private static final Pattern SWITCHES = Pattern.compile("voluntary_ctxt_switches:\\s+(\\d+)");

      /** Reads from the page cache do not count. */
      private static final Pattern DISK_BYTES_READ = Pattern.compile("(?m)^read_bytes: (\\d+)");

      /** Fields: user, nice, system, idle, iowait, irq, softirq, steal; user includes guests. */
      private static final Pattern ALL_CORES = Pattern.compile("^cpu " + " (\\d+)".repeat(8));

      private static final Pattern IDLE_CORES =
          Pattern.compile("^cpu  \\d+ \\d+ \\d+ (\\d+) (\\d+)");

      /** Names of the JVM's compiler threads, as Linux truncates them. */
      private static final String COMPILERS = "C[12] CompilerThre";

      /** Ticks a second in {@code /proc}, on all of Linux's architectures that Java runs on. */
      private static final double TICKS_PER_SECOND = 100;

      /** Returns the context switches of a process's live threads, each since its start. */
      double contextSwitches(long pid) {
        return sumOfThreads(pid, "status", SWITCHES);
      }

      /** Returns the processor seconds of a JVM's compiler threads. */
      double compilerSeconds(long pid) {
        return secondsOf(pid, COMPILERS);
      }

      /** Returns the processor seconds of the threads whose name matches this pattern. */
      double secondsOf(long pid, String name) {
        // Eleven fields stand between the name, in parentheses, and the user and system times.
        Pattern ticks = Pattern.compile("\\(" + name + "\\)(?: \\S+){11} (\\d+) (\\d+)");
        return sumOfThreads(pid, "stat", ticks) / TICKS_PER_SECOND;
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
        try (DirectoryStream<Path> threads =
            Files.newDirectoryStream(proc.resolve(pid + "/task"))) {
          for (Path thread : threads) {
            double figure = sum(thread.resolve(file), figures);
            // The thread may have ended since the directory was listed.
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
}
