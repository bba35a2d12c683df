// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.soak;

import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.soak.Soak.Figure;
import dev.terrace.bench.soak.Soak.Sample;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Reads the figures of a region server of this machine, from its JMX page, from Linux and from its
 * files. For one thread.
 */
public final class ServerProbe {

  private static final Duration COLLECTION_LIMIT = Duration.ofSeconds(30);
  private static final String ANONYMOUS = "RssAnon:";
  private static final long KIBIBYTE = 1 << 10;

  private final String name;
  private final JmxClient jmx;
  private final Path log;
  private final List<Path> caches;
  private long lastLogBytes;
  private long lastNanos = System.nanoTime();

  /**
   * A probe of a server that may be restarted.
   *
   * @param log the file of its output
   * @param caches folders of its PMem and SSD tiers
   */
  public ServerProbe(String name, JmxClient jmx, Path log, List<Path> caches) {
    this.name = name;
    this.jmx = jmx;
    this.log = log;
    this.caches = List.copyOf(caches);
    this.lastLogBytes = log.toFile().length();
  }

  /**
   * Has the server collect its garbage, and reads all figures.
   *
   * @throws IOException if it is down or does not answer
   */
  Sample sample(double seconds) throws IOException {
    long pid = bean("java.lang:type=Runtime").number("Pid");
    collect(pid);
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.HEAP, (double) liveHeapBytes() - memstoreBytes());
    List<TerraceStats.Tier> tiers =
        TerraceStats.read(jmx).map(TerraceStats::tiers).orElse(List.of());
    long dram = capacity(tiers, "dram");
    long pmem = capacity(tiers, "pmem");
    Path proc = Path.of("/proc", Long.toString(pid));
    figures.put(Figure.RESIDENT, (double) anonymousBytes(proc.resolve("status")) - dram);
    figures.put(Figure.DIRECT, (double) bufferBytes("direct") - dram);
    figures.put(Figure.MAPPED, (double) bufferBytes("mapped") - pmem);
    figures.put(Figure.MAPPINGS, (double) Files.readAllLines(proc.resolve("maps")).size());
    figures.put(
        Figure.DESCRIPTORS,
        (double) bean("java.lang:type=OperatingSystem").number("OpenFileDescriptorCount"));
    figures.put(Figure.THREADS, (double) bean("java.lang:type=Threading").number("ThreadCount"));
    figures.put(
        Figure.LEASED, (double) tiers.stream().mapToLong(TerraceStats.Tier::leasedBytes).sum());
    figures.put(Figure.FILES, (double) fileBytes() - pmem - capacity(tiers, "ssd"));
    figures.put(Figure.LOG, logBytesAMinute());
    return new Sample(name, pid, seconds, figures);
  }

  private static long capacity(List<TerraceStats.Tier> tiers, String name) {
    return tiers.stream()
        .filter(tier -> tier.name().equals(name))
        .mapToLong(TerraceStats.Tier::capacityBytes)
        .sum();
  }

  private JmxClient.Bean bean(String query) throws IOException {
    return jmx.bean(query).orElseThrow(() -> new IOException(name + " has no bean " + query));
  }

  /** The JMX page cannot call the bean's operation; the JDK's tool can. */
  private static void collect(long pid) throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!process.waitFor(COLLECTION_LIMIT.toSeconds(), TimeUnit.SECONDS)
          || process.exitValue() != 0) {
        throw new IOException("process " + pid + " did not collect its garbage");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns what each pool of the heap had after its last collection. */
  private long liveHeapBytes() throws IOException {
    long sum = 0;
    for (JmxClient.Bean pool : jmx.beans("java.lang:type=MemoryPool,*")) {
      if (pool.text("Type").equals("HEAP")) {
        sum += pool.composite("CollectionUsage").number("used");
      }
    }
    return sum;
  }

  /** They grow with the number of regions, until HBase flushes them. */
  private long memstoreBytes() throws IOException {
    return bean("Hadoop:service=HBase,name=RegionServer,sub=Server").number("memStoreSize");
  }

  private long bufferBytes(String pool) throws IOException {
    return bean("java.nio:type=BufferPool,name=" + pool).number("MemoryUsed");
  }

  private static long anonymousBytes(Path status) throws IOException {
    try (Stream<String> lines = Files.lines(status)) {
      String line =
          lines
              .filter(each -> each.startsWith(ANONYMOUS))
              .findFirst()
              .orElseThrow(() -> new IOException(status + " has no line " + ANONYMOUS));
      String kibibytes = line.substring(ANONYMOUS.length(), line.lastIndexOf(' ')).strip();
      return Long.parseLong(kibibytes) * KIBIBYTE;
    }
  }

  private long fileBytes() throws IOException {
    long sum = 0;
    for (Path cache : caches) {
      try (Stream<Path> files = Files.walk(cache)) {
        sum += files.mapToLong(file -> file.toFile().isFile() ? file.toFile().length() : 0).sum();
      }
    }
    return sum;
  }

  private double logBytesAMinute() {
    long bytes = log.toFile().length();
    long nanos = System.nanoTime();
    double minutes = (nanos - lastNanos) / (double) Duration.ofMinutes(1).toNanos();
    double rate = (bytes - lastLogBytes) / minutes;
    lastLogBytes = bytes;
    lastNanos = nanos;
    return rate;
  }
}
