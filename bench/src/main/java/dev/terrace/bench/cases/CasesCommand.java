// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.cases.SpeedCases.EqualMemory;
import dev.terrace.bench.load.FileStore;
import dev.terrace.bench.load.ServerBenchmark;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import dev.terrace.bench.slow.SlowProfile;
import dev.terrace.hbase.settings.ByteSize;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "cases",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Published comparisons of block caches, repeated with real HBase servers, each figure"
            + " beside the published one: a to f in 40 minutes with 250,000 rows. (a) and (d) take"
            + " three times the --rounds.")
public final class CasesCommand extends ServerBenchmark {

  /** All cases, by letter. */
  static final List<PublishedCase> CASES =
      Stream.concat(
              SpeedCases.CASES.stream(),
              Stream.of(WarmRestartCase.CASE, RegionCases.EVENTS, RegionCases.MOVES))
          .sorted(Comparator.comparing(PublishedCase::letter))
          .toList();

  private static final String MOVES = RegionCases.MOVES.letter();

  /** Two slow cores take two minutes to compile. */
  static final Scale SCALE = new Scale(250_000, CacheSizes.ofMebibytes(512, 0, 0, 0), 3, 3, 120);

  /** With fewer rows, a fifth of the data is less than the 28 MB that BucketCache needs. */
  private static final long MIN_ROWS = 150_000;

  @Parameters(
      arity = "0..*",
      paramLabel = "CASE",
      description =
          "a: PMem beside DRAM; b: PMem beside less DRAM, over a disk; c: SSD over an object store;"
              + " d: all cached, what the cores do; e: SSD beside local files; f: warm restart; g:"
              + " gets through compaction, splits, merges, flush, and then g-moves; g-moves: gets"
              + " through moves, a kill and a rolling restart of two servers; h: compressed blocks"
              + " on SSD; i: equal memory, with the page cache, over a disk; alone, and as root"
              + " (default: a to h)")
  private List<String> letters = List.of();

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "object-store",
      description =
          "(c): object-store, which is simulated, or s3, which Hadoop's client reads from a server"
              + " on this machine that answers as late as S3 (default: ${DEFAULT-VALUE})")
  private String store;

  private List<PublishedCase> cases;
  private boolean isEqualMemory;
  private Scale scale;
  private SlowProfile profile;

  CasesCommand() {
    super(
        "Published cases",
        "What papers and talks have published of tiered block caches, measured again here: each"
            + " case with the ratio to its peer in the same run. Yellow bars are what was"
            + " published.");
  }

  @Override
  protected void checkOptions() {
    cases = chosen(letters);
    isEqualMemory = cases.get(0).letter().equals(EqualMemory.LETTER);
    profile = SlowProfile.named(store);
    boolean isObjectStore = cases.size() == 1 && cases.get(0).letter().equals("c");
    require(
        profile.equals(SlowProfile.OBJECT_STORE)
            || (profile.equals(SlowProfile.S3) && isObjectStore),
        "--store " + store + ": it can be object-store, or s3 for case c alone");
    scale = isEqualMemory ? EqualMemory.checked(scale(EqualMemory.SCALE)) : checked(scale(SCALE));
  }

  /** Returns the cases of these letters; by default all cases that share a table. */
  static List<PublishedCase> chosen(List<String> letters) {
    List<String> all = CASES.stream().map(PublishedCase::letter).toList();
    for (String letter : letters) {
      if (!all.contains(letter)) {
        throw new IllegalArgumentException(
            "CASE: '" + letter + "' is none of " + String.join(", ", all));
      }
    }
    if (letters.contains(EqualMemory.LETTER) && letters.size() > 1) {
      throw new IllegalArgumentException("CASE: i has a table of its own, so it is run alone");
    }
    return CASES.stream()
        .filter(
            one ->
                letters.isEmpty()
                    ? !one.letter().equals(EqualMemory.LETTER)
                    : letters.contains(one.letter())
                        || (one.letter().equals(MOVES) && letters.contains("g")))
        .toList();
  }

  /** Returns the scale if a cache can hold all of its rows; see {@link CacheSizes}. */
  static Scale checked(Scale scale) {
    double most = 2 * scale.sizes().heap() / CaseBench.HOLDS_ALL / Scale.ROW_BYTES_IN_FILE;
    Scale.require("--rows", scale.rows(), MIN_ROWS, (long) most);
    return scale;
  }

  @Override
  protected void measure(Result result) throws IOException {
    Optional<String> whyNot = isEqualMemory ? EqualMemory.whyNot() : Optional.empty();
    if (whyNot.isPresent()) {
      print("%nCase (i) is skipped: %s", whyNot.get());
      result.setting("skipped", whyNot.get());
      return;
    }
    // One case has two PMem tiers, and each holds all of the data.
    double maxPmem = 2 * CaseBench.HOLDS_ALL * scale.fileBytes();
    RunFolders.Parents parents = parents(Math.round(maxPmem));
    if (isEqualMemory) {
      EqualMemory.requireDisk(parents);
    }
    SideBySide servers = open(FileStore.install(profile), scale, parents, CaseBench.threads());
    note(scale, parents, CaseBench.threads(), result);
    result.setting("store", store);
    servers.run(
        () -> {
          // Closed within the run: its processes end before the run deletes their files.
          try (FileStore files = FileStore.open(profile, servers.folders())) {
            CaseBench bench = CaseBench.load(scale, servers, files);
            result.setting("dataBytes", bench.dataBytes());
            tellStores(bench);
            measure(bench, result);
            return result;
          }
        });
  }

  private void tellStores(CaseBench bench) {
    String bytes = ByteSize.readable(bench.dataBytes());
    if (profile.equals(SlowProfile.S3)) {
      print("%nThe table has %s in S3 on this machine, SLOWED DOWN: %s", bytes, profile.describe());
      return;
    }
    print("%nThe table has %s in files. SIMULATED stores:", bytes);
    Stream.of(SlowProfile.OBJECT_STORE, SlowProfile.HDD, SlowProfile.HDFS_NETWORK)
        .forEach(each -> print("- %s", each.describe()));
  }

  /** Prints nothing: the tables were printed case by case. */
  @Override
  protected void show(Result result) {
    Target.print(result.targets(), out());
  }

  /** Measures all cases, and prints each one when it is done. */
  private void measure(CaseBench bench, Result result) throws IOException {
    for (PublishedCase one : cases) {
      bench.servers().log("Case (" + one.letter() + "): " + one.title());
      PublishedCase.Figures figures = one.measuring().apply(bench);
      one.addTo(result, figures);
      ResultText.print(one.tables(figures), out());
    }
    bench.servers().tellRows();
  }
}
