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

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.hbase.HBaseInstall;
import dev.terrace.bench.hbase.RunFailure;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.hbase.ServerFleet;
import dev.terrace.bench.hbase.ServerRun;
import dev.terrace.bench.report.PlannedProgress;
import dev.terrace.bench.report.Progress;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.slow.SlowJar;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A run of some cases from the loading of the table to the last figure. */
final class CasesRun {

  private final List<PublishedCase> cases;
  private final CaseOptions options;
  private final RunFolders folders;
  private final ServerFleet fleet;
  private final PrintWriter out;
  private long dataBytes;

  CasesRun(
      List<PublishedCase> cases,
      CaseOptions options,
      RunFolders folders,
      HBaseInstall install,
      PrintWriter out) {
    this.cases = cases;
    this.options = options;
    this.folders = folders;
    this.fleet = new ServerFleet(install);
    this.out = out;
  }

  static String plannedInWords(List<PublishedCase> cases, CaseOptions options) {
    return Progress.inWords(Duration.ofSeconds(Math.round(planned(cases, options))));
  }

  private static double planned(List<PublishedCase> cases, CaseOptions options) {
    return CaseData.plannedSeconds(options)
        + cases.stream().mapToDouble(one -> one.plannedSeconds(options)).sum();
  }

  /** Returns the bytes of the table's files, once it was loaded. */
  long dataBytes() {
    return dataBytes;
  }

  /**
   * Measures all cases and prints each as it is done; whatever happens, servers end and data goes.
   *
   * @throws RunFailure if something was in the way, or was read wrong
   */
  List<CaseResult> run() throws RunFailure {
    PlannedProgress log = new PlannedProgress(planned(cases, options), out, System::nanoTime);
    return new ServerRun("terrace bench cases", fleet, folders)
        .run(options.keep(), line -> out.printf("%s%n", line).flush(), () -> measure(log));
  }

  private List<CaseResult> measure(PlannedProgress log) throws IOException, RunFailure {
    log.begin(CaseData.said(options));
    Path slowJar = SlowJar.write(folders.work());
    dataBytes = CaseData.load(options, folders, fleet, slowJar);
    log.done(CaseData.plannedSeconds(options));
    out.printf("%nThe table has %s in files. SIMULATED stores:%n", new ByteSize(dataBytes));
    for (SlowProfile profile :
        List.of(SlowProfile.OBJECT_STORE, SlowProfile.HDD, SlowProfile.HDFS_NETWORK)) {
      out.printf("- %s%n", profile.describe());
    }
    out.println();
    CaseBench bench = new CaseBench(options, folders, fleet, log, slowJar, dataBytes);
    List<CaseResult> results = new ArrayList<>();
    for (PublishedCase one : cases) {
      log.prefix("(" + one.about().letter() + ") ");
      CaseResult result = one.measure(bench);
      log.done(one.plannedSeconds(options));
      results.add(result);
      ResultText.print(new CaseReport(result).tables(), out);
    }
    out.printf(
        "All %,d rows that were read had the right values; %s in all%n%n",
        bench.checks().rows(), Progress.inWords(log.elapsed()));
    return results;
  }
}
