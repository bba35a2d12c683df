// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.Cluster.RegionServer;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.server.JavaProcess;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.server.TerraceStats.Tier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Samples the figures of region servers over hours, and finds those that grow. Thread-safe. */
final class Soak {

  /** Fewer samples of a process prove nothing. */
  static final int MIN_SAMPLES = 60;

  private static final int SAMPLES = 240;
  private static final Duration MIN_INTERVAL = Duration.ofSeconds(10);

  private final Duration interval;
  private final List<Sample> samples = new CopyOnWriteArrayList<>();
  private final long start = System.nanoTime();

  /** A soak without samples, which will take this long. */
  Soak(Duration time) {
    Duration share = time.dividedBy(SAMPLES);
    this.interval = share.compareTo(MIN_INTERVAL) < 0 ? MIN_INTERVAL : share;
  }

  /** Samples a server, across all its restarts, until the fire is over. */
  void sample(RegionServer server, Timeline fire) throws IOException {
    Probe probe = new Probe(server.name(), server.jmx(), server.daemon().log(), server.caches());
    while (!fire.pause(interval)) {
      try {
        add(probe.sample((System.nanoTime() - start) / 1e9));
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        fire.tell("no sample", server.name() + ": " + e);
      }
    }
  }

  void add(Sample sample) {
    samples.add(sample);
  }

  /** Adds the figures over time, and the requirement that each of them is flat. */
  void addTo(Result result) {
    List<Figure> figures = List.of(Figure.values());
    Table table =
        Table.of(
            "Soak",
            List.of(Column.text("server"), Column.of("minutes", "time, minutes", Unit.NUMBER)),
            figures.stream()
                .map(figure -> Column.of(figure.key(), figure.title, Unit.NUMBER))
                .toList());
    for (Sample sample : samples) {
      table.row(
          Look.TERRACE,
          sample.server(),
          sample.seconds() / 60,
          figures.stream().map(sample.figures()::get).toList());
    }
    List<Target> trends = trends(samples);
    if (trends.isEmpty()) {
      table.note("No process lived for " + MIN_SAMPLES + " samples: no trend is known.");
    }
    String[] keys = figures.stream().map(Figure::key).toArray(String[]::new);
    result.add(table.lines("Region servers over time", "minutes", keys)).addTargets(trends);
  }

  /**
   * A figure of a region server that must not grow without end. Memory and files are counted
   * without the tiers, whose sizes are set: a resize is not a leak. The heap is counted without
   * HBase's memstores, which grow with the number of regions until HBase flushes them.
   */
  enum Figure {
    HEAP("live heap, MiB", 12),
    RESIDENT("resident, MiB", 40),
    DIRECT("direct, MiB", 8),
    /** A PMem tier that shrinks keeps its mapping. */
    MAPPED("mapped, MiB", 32),
    MAPPINGS("mappings", 40),
    DESCRIPTORS("descriptors", 60),
    THREADS("threads", 30),
    LEASED("leased, MiB", 2),
    FILES("cache files, MiB", 4),
    LOG("log a minute, MiB", 1);

    /** The floor of a figure is this quantile of its samples. */
    private static final double FLOOR = 0.1;

    final String title;

    /** The largest allowed growth of its level between thirds of a soak. */
    final double maxGrowth;

    Figure(String title, double maxGrowth) {
      this.title = title;
      this.maxGrowth = maxGrowth;
    }

    private String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the level of some values: their floor, because load lifts a figure for a while only,
     * whereas a leak lifts its floor. For the log it is the mean rate of writing.
     */
    private double level(double[] values) {
      if (this == LOG) {
        return Arrays.stream(values).average().orElse(Double.NaN);
      }
      double[] sorted = Arrays.stream(values).sorted().toArray();
      return sorted.length == 0 ? Double.NaN : sorted[(int) (FLOOR * sorted.length)];
    }
  }

  /**
   * The figures of a region server at one time.
   *
   * @param pid its process, another one after each restart
   * @param seconds since the soak began
   */
  record Sample(String server, long pid, double seconds, Map<Figure, Double> figures) {}

  /**
   * Reads the figures of a region server on this machine from its JMX page, from Linux and from its
   * files. For one thread.
   */
  static final class Probe {

    private static final String SERVER = "Hadoop:service=HBase,name=RegionServer,sub=Server";
    private static final String SYSTEM = "java.lang:type=OperatingSystem";
    private static final String BUFFERS = "java.nio:type=BufferPool,name=";
    private static final String ANONYMOUS = "RssAnon:";

    private final String name;
    private final JmxClient jmx;
    private final Path log;
    private final List<Path> caches;
    private long lastLogBytes;
    private long lastNanos = System.nanoTime();

    /**
     * A probe of a server that may be restarted.
     *
     * @param log its output
     * @param caches folders of its PMem and SSD tiers
     */
    Probe(String name, JmxClient jmx, Path log, List<Path> caches) {
      this.name = name;
      this.jmx = jmx;
      this.log = log;
      this.caches = caches;
      this.lastLogBytes = log.toFile().length();
    }

    /**
     * Makes the server collect its garbage, then reads all figures.
     *
     * @throws IOException if it is down or does not answer
     */
    Sample sample(double seconds) throws IOException {
      long pid = number("java.lang:type=Runtime", "Pid");
      // The JMX page cannot invoke operations of a bean; the JDK's tool can.
      String jcmd = System.getProperty("java.home") + "/bin/jcmd";
      JavaProcess.runToEnd(jcmd, Long.toString(pid), "GC.run");
      List<Tier> tiers = TerraceStats.read(jmx).map(TerraceStats::tiers).orElse(List.of());
      long dram = capacity(tiers, "dram");
      long pmem = capacity(tiers, "pmem");
      Map<Figure, Double> figures = new EnumMap<>(Figure.class);
      figures.put(Figure.HEAP, mebibytes(liveHeapBytes() - number(SERVER, "memStoreSize")));
      figures.put(Figure.RESIDENT, mebibytes(anonymousBytes(pid) - dram));
      figures.put(Figure.DIRECT, mebibytes(number(BUFFERS + "direct", "MemoryUsed") - dram));
      figures.put(Figure.MAPPED, mebibytes(number(BUFFERS + "mapped", "MemoryUsed") - pmem));
      figures.put(Figure.MAPPINGS, (double) linesOf(pid, "maps").size());
      figures.put(Figure.DESCRIPTORS, (double) number(SYSTEM, "OpenFileDescriptorCount"));
      figures.put(Figure.THREADS, (double) number("java.lang:type=Threading", "ThreadCount"));
      figures.put(Figure.LEASED, mebibytes(tiers.stream().mapToLong(Tier::leasedBytes).sum()));
      figures.put(Figure.FILES, mebibytes(fileBytes() - pmem - capacity(tiers, "ssd")));
      figures.put(Figure.LOG, logLinesPerMinute());
      return new Sample(name, pid, seconds, figures);
    }

    private static double mebibytes(long bytes) {
      return bytes / (double) (1 << 20);
    }

    private long number(String query, String attribute) throws IOException {
      return jmx.bean(query)
          .orElseThrow(() -> new IOException(name + " has no bean " + query))
          .number(attribute);
    }

    private static long capacity(List<Tier> tiers, String name) {
      return tiers.stream()
          .filter(tier -> tier.name().equals(name))
          .mapToLong(Tier::capacityBytes)
          .sum();
    }

    /** Returns the live bytes of all heap pools after their last collections. */
    private long liveHeapBytes() throws IOException {
      long sum = 0;
      for (JmxClient.Bean pool : jmx.beans("java.lang:type=MemoryPool,*")) {
        if (pool.text("Type").equals("HEAP")) {
          sum += pool.composite("CollectionUsage").number("used");
        }
      }
      return sum;
    }

    private static List<String> linesOf(long pid, String file) throws IOException {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), file));
    }

    private static long anonymousBytes(long pid) throws IOException {
      return linesOf(pid, "status").stream()
          .filter(line -> line.startsWith(ANONYMOUS))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElseThrow(() -> new IOException("process " + pid + " has no " + ANONYMOUS));
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

    private double logLinesPerMinute() {
      long bytes = log.toFile().length();
      long nanos = System.nanoTime();
      double minutes = (nanos - lastNanos) / 60e9;
      double rate = mebibytes(bytes - lastLogBytes) / minutes;
      lastLogBytes = bytes;
      lastNanos = nanos;
      return rate;
    }
  }

  /**
   * Returns a target for each figure of each process that lived long enough: its level must be flat
   * from the second to the last third of the process's life. During the first third caches and
   * pools fill.
   */
  static List<Target> trends(List<Sample> samples) {
    Map<Long, List<Sample>> lives =
        samples.stream()
            .collect(Collectors.groupingBy(Sample::pid, LinkedHashMap::new, Collectors.toList()));
    return lives.values().stream()
        .filter(life -> life.size() >= MIN_SAMPLES)
        .flatMap(life -> Arrays.stream(Figure.values()).map(figure -> trend(life, figure)))
        .toList();
  }

  private static Target trend(List<Sample> life, Figure figure) {
    double[] values = life.stream().mapToDouble(sample -> sample.figures().get(figure)).toArray();
    int third = values.length / 3;
    int lastStart = values.length - third;
    double middle = figure.level(Arrays.copyOfRange(values, lastStart - third, lastStart));
    double last = figure.level(Arrays.copyOfRange(values, lastStart, values.length));
    return Target.of(
        last - middle <= figure.maxGrowth,
        "%s, process %d: %s: %.1f, then %.1f, at most %.1f more",
        life.get(0).server(),
        life.get(0).pid(),
        figure.title,
        middle,
        last,
        figure.maxGrowth);
  }
}
