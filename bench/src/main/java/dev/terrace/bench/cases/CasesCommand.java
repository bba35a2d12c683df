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
package dev.terrace.bench.cases;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.load.FileStore;
import dev.terrace.bench.load.Scale;
import dev.terrace.bench.load.ServerBenchmark;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.server.CacheSizes;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code terrace bench cases}: comparisons that others have published, repeated here.
 *
 * <p>Ends with 0 when every figure was taken and every value was right, with 1 when not or when
 * something was in the way, and with 2 when an option was wrong. A missed target ends it with 1
 * only with {@code --check}.
 */
@Command(
    name = "cases",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Published comparisons of block caches, repeated with real HBase servers, each figure beside"
          + " the published one.",
      "Scales: small (250,000 rows, a to f 40 minutes), medium (4 million), large (30 million). (a)"
          + " takes three times the --rounds."
    })
public final class CasesCommand extends ServerBenchmark {

  /** All of them, in the order of their letters. */
  static final List<PublishedCase> CASES =
      List.of(
          SpeedCases.PMEM_OR_DRAM,
          SpeedCases.BEYOND_DRAM,
          SpeedCases.OBJECT_STORE,
          SpeedCases.ALL_CACHED,
          SpeedCases.LOCAL_FILES,
          WarmRestartCase.CASE,
          RegionEventsCase.CASE,
          RegionMovesCase.CASE,
          CompressedCase.CASE,
          EqualMemoryCase.CASE);

  /** Those that have a table of their own, and caches on a real disk. */
  private static final List<PublishedCase> ALONE = List.of(EqualMemoryCase.CASE);

  private static final List<SlowProfile> STORES = List.of(SlowProfile.OBJECT_STORE, SlowProfile.S3);

  /** Two slow cores compile for two minutes. */
  static final List<Scale> SCALES =
      List.of(
          Scale.of("small", 250_000, List.of("512m", "0", "0", "0"), 3, 3, 120),
          Scale.of("medium", 4_000_000, List.of("4g", "0", "0", "0"), 3, 8, 120),
          Scale.of("large", 30_000_000, List.of("24g", "0", "0", "0"), 3, 20, 120));

  /** Largest size of a row in a file: its value, its key, and HBase's own bytes. */
  static final int ROW_BYTES_IN_FILE = 1_100;

  /** With fewer, a fifth of the data is less than the 28 MB that a BucketCache must have. */
  private static final long FEWEST_ROWS = 150_000;

  @Parameters(
      arity = "0..*",
      paramLabel = "CASE",
      description =
          "a: PMem beside DRAM; b: PMem beside less DRAM, over a disk; c: SSD over an object store;"
              + " d: all cached, what the cores do; e: SSD beside local files; f: warm restart; g:"
              + " gets through compaction, splits, merges, flush, and then g-moves; g-moves: gets"
              + " through moves, a kill and a rolling restart of two servers; h: compressed blocks"
              + " on SSD; i: equal memory, with the page cache, over a disk; i alone, and as root"
              + " (default: a to h)")
  private List<String> letters = List.of();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      defaultValue = EqualMemoryCase.MEMORY,
      description =
          "(i): memory of each server, with the page cache that it fills (default:"
              + " ${DEFAULT-VALUE})")
  private ByteSize memory;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "object-store",
      description =
          "(c): object-store, which is simulated, or s3, which Hadoop's client reads from a server"
              + " on this machine that answers as late as S3 (default: ${DEFAULT-VALUE})")
  private String store;

  private List<PublishedCase> cases;
  private Scale scale;
  private SlowProfile profile;

  CasesCommand() {
    super(
        "Published cases",
        "What papers and talks have published of tiered block caches, measured again here: each"
            + " case with the ratio to its peer in the same run, and with words on what differs"
            + " from the original. Yellow bars are what was published.");
  }

  @Override
  protected void checkOptions() {
    cases = chosen(letters);
    profile = chosen("--store", List.of(store), STORES, SlowProfile::name).get(0);
    if (profile.equals(SlowProfile.S3) && !cases.equals(List.of(SpeedCases.OBJECT_STORE))) {
      throw new IllegalArgumentException("--store s3 is for case c alone");
    }
    if (cases.contains(EqualMemoryCase.CASE)) {
      scale = EqualMemoryCase.checked(scale(EqualMemoryCase.SCALES), memory);
    } else {
      scale = checked(scale(SCALES));
    }
  }

  /** Returns the cases of these letters, by default all that share a table. */
  static List<PublishedCase> chosen(List<String> letters) {
    List<String> all = new ArrayList<>(letters);
    if (letters.contains(RegionEventsCase.CASE.letter())) {
      all.add(RegionMovesCase.CASE.letter());
    }
    List<PublishedCase> chosen = chosen("CASE", all, CASES, PublishedCase::letter);
    if (letters.isEmpty()) {
      return chosen.stream().filter(one -> !ALONE.contains(one)).toList();
    }
    for (PublishedCase one : chosen) {
      if (chosen.size() > 1 && ALONE.contains(one)) {
        throw new IllegalArgumentException(
            "CASE: " + one.letter() + " has a table of its own, so it is run alone");
      }
    }
    return chosen;
  }

  private Optional<String> whyNot() {
    if (cases.contains(EqualMemoryCase.CASE)) {
      return EqualMemoryCase.whyNot();
    }
    return Optional.empty();
  }

  /** Returns a scale whose rows a cache of all data can hold, see {@link CacheSizes}. */
  static Scale checked(Scale scale) {
    double most = 2 * scale.sizes().heap().bytes() / CaseBench.HOLDS_ALL / ROW_BYTES_IN_FILE;
    if (scale.rows() < FEWEST_ROWS || scale.rows() > most) {
      throw new IllegalArgumentException(
          String.format(
              "--rows is %d, must be %d to %d with --scale %s",
              scale.rows(), FEWEST_ROWS, (long) most, scale.name()));
    }
    return scale;
  }

  @Override
  protected void measure(Result result) throws IOException {
    Optional<String> whyNot = whyNot();
    if (whyNot.isPresent()) {
      print("%nCase (%s) is skipped: %s", cases.get(0).letter(), whyNot.get());
      result.setting("skipped", whyNot.get());
      return;
    }
    // Two PMem tiers of one case, each of which holds all data.
    double mostPmem = 2 * CaseBench.HOLDS_ALL * scale.rows() * ROW_BYTES_IN_FILE;
    RunFolders.Parents parents = parents(Math.round(mostPmem));
    if (ALONE.contains(cases.get(0))) {
      EqualMemoryCase.requireDisk(scale, parents);
    }
    SideBySide servers = open(FileStore.install(profile), scale, parents, CaseBench.threads());
    note(scale, parents, CaseBench.threads(), result);
    result.setting("store", store);
    servers
        .run(
            () -> {
              // Its processes have ended before what they wrote is deleted.
              try (FileStore files = FileStore.open(profile, servers.folders())) {
                CaseBench bench = CaseBench.load(scale, servers, files);
                result.setting("dataBytes", bench.dataBytes());
                tellStores(bench);
                return measure(bench);
              }
            })
        .forEach(report -> report.addTo(result));
  }

  private void tellStores(CaseBench bench) {
    boolean isS3 = profile.equals(SlowProfile.S3);
    print(
        "%nThe table has %s in files. %s:",
        new ByteSize(bench.dataBytes()),
        isS3 ? "They are in S3 on this machine, SLOWED DOWN" : "SIMULATED stores");
    List<SlowProfile> stores =
        isS3
            ? List.of(profile)
            : List.of(SlowProfile.OBJECT_STORE, SlowProfile.HDD, SlowProfile.HDFS_NETWORK);
    stores.forEach(each -> print("- %s", each.describe()));
  }

  /** The tables were printed case by case. */
  @Override
  protected void show(Result result) {
    Target.print(result.targets(), out());
  }

  /** Measures all cases and prints each as it is done. */
  private List<CaseReport> measure(CaseBench bench) throws IOException {
    List<CaseReport> reports = new ArrayList<>();
    for (PublishedCase one : cases) {
      bench.servers().log("Case (" + one.letter() + "): " + one.title());
      CaseReport report = new CaseReport(one, one.measuring().measure(bench));
      reports.add(report);
      ResultText.print(report.tables(), out());
    }
    bench.servers().tellRows();
    return reports;
  }
}
