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
package dev.terrace.bench.terabytes;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.fire.disk.LoopDisk;
import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code terrace bench terabytes}: what grows with the size of a cache, and how. */
@Command(
    name = "terabytes",
    mixinStandardHelpOptions = true,
    description = {
      "An SSD tier of terabytes, and a DRAM tier of millions of blocks: memory, restart, and what"
          + " each question costs, at three sizes.",
      "Needs root on Linux: the disks of the SSD tier are sparse files, mounted as loop devices, of"
          + " which a thousandth is written."
    })
public final class TerabytesCommand extends Benchmark {

  private static final List<Integer> PARTS = List.of(64, 8, 1);
  private static final int PATHS = 4;
  private static final int PAGE_BYTES = 512;

  /** For the file system itself, and what the DRAM tier's policy leaves free. */
  private static final double MORE = 1.05;

  @Option(
      names = "--ssd",
      paramLabel = "SIZE",
      defaultValue = "10t",
      converter = ByteSize.Converter.class,
      description = "The largest SSD tier; 0 for none (default: ${DEFAULT-VALUE}).")
  private ByteSize ssd;

  @Option(
      names = "--dram-blocks",
      paramLabel = "N",
      defaultValue = "20000000",
      description = "The blocks of the largest DRAM tier; 0 for none (default: ${DEFAULT-VALUE}).")
  private int dramBlocks;

  TerabytesCommand() {
    super(
        "Terabytes",
        "Blocks on SSD are known by the tables of their regions, in the format of a real cache; one"
            + " in each region can be read. All else is real: the cache is opened with its settings,"
            + " in a process of its own, and the first reads of a restart go to the disk.");
  }

  @Override
  protected boolean promises() {
    return false;
  }

  @Override
  protected void checkOptions() {
    requireRange("--ssd", ssd.bytes(), 0, 16L << 40);
    requireRange("--dram-blocks", dramBlocks, 0, 1 << 28);
  }

  @Override
  protected void measure(Result result) throws IOException, InterruptedException {
    Map<Integer, Costs.Seen> onSsd = new LinkedHashMap<>();
    Map<Integer, Costs.Seen> inDram = new LinkedHashMap<>();
    for (int part : PARTS) {
      if (ssd.bytes() > 0) {
        onSsd.put(part, ssd(ssd.bytes() / part));
      }
      if (dramBlocks > 0) {
        inDram.put(part, dram(dramBlocks / part));
      }
    }
    add(result, "SSD tier", onSsd);
    add(result, "DRAM tier", inDram);
  }

  private Costs.Seen ssd(long sizeBytes) throws IOException, InterruptedException {
    List<LoopDisk> disks = new ArrayList<>();
    try (Scratch scratch = Scratch.create()) {
      try {
        List<Path> folders = new ArrayList<>();
        for (int i = 0; i < PATHS; i++) {
          folders.add(Files.createDirectory(scratch.fileDirectory().resolve("disk" + i)));
          disks.add(LoopDisk.mountSparse(folders.get(i), (long) (MORE * sizeBytes / PATHS)));
        }
        Tiers tiers = new Tiers(joined(folders), sizeBytes, 0);
        print(
            "SSD of %s: writes the ends of %,d regions", new ByteSize(sizeBytes), tiers.regions());
        OwnJvm.run(new HollowFill(tiers), HollowFill.Written.class, arguments(sizeBytes));
        for (LoopDisk disk : disks) {
          disk.forget();
        }
        print("SSD of %s: opens it", new ByteSize(sizeBytes));
        return OwnJvm.run(new TerabytesRun(tiers, 0), Costs.Seen.class, arguments(sizeBytes));
      } finally {
        for (LoopDisk disk : disks) {
          disk.remove();
        }
      }
    }
  }

  private static String joined(List<Path> folders) {
    return folders.stream().map(Path::toString).collect(Collectors.joining(","));
  }

  private Costs.Seen dram(int blocks) throws IOException, InterruptedException {
    long bytes = Math.max(64L << 20, (long) (blocks * MORE * PAGE_BYTES));
    print("DRAM of %s: fills it with %,d blocks", new ByteSize(bytes), blocks);
    Tiers tiers = new Tiers("", 0, bytes);
    return OwnJvm.run(
        new TerabytesRun(tiers, blocks),
        Costs.Seen.class,
        "-Xmx10g",
        "-XX:MaxDirectMemorySize=" + (bytes + (1L << 30)));
  }

  /** Heap and direct memory as docs/sizing.md has them, for this process's own blocks, too. */
  private static String[] arguments(long ssdBytes) {
    return new String[] {"-Xmx6g", "-XX:MaxDirectMemorySize=" + (ssdBytes / 1600 + (1L << 30))};
  }

  private static void add(Result result, String title, Map<Integer, Costs.Seen> parts) {
    if (parts.isEmpty()) {
      return;
    }
    List<Column> columns = new ArrayList<>(Column.texts("measure"));
    parts.keySet().forEach(part -> columns.add(Column.text(part == 1 ? "all" : "1/" + part)));
    Table table = new Table(title, columns);
    List<Costs.Seen> seen = List.copyOf(parts.values());
    List<Costs.Figure> names = seen.get(0).figures();
    for (int line = 0; line < names.size(); line++) {
      int at = line;
      Stream<String> cells =
          seen.stream()
              .map(each -> each.figures().get(at))
              .map(figure -> figure.unit().format(figure.value()));
      table.row(Look.TERRACE, Stream.concat(Stream.of(names.get(line).name()), cells).toList());
    }
    seen.get(seen.size() - 1).classes().forEach(table::note);
    result.add(table).detail(title, parts);
  }
}
