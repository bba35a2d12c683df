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
import java.time.Duration;

/** The loads that servers are compared under. */
public enum Workload {
  /** PerformanceEvaluation's randomRead. */
  PE_RANDOM_READ(
      "pe-random-read",
      "PE randomRead: single rows, uniform",
      (client, threads, time) -> client.run(PeClient.RANDOM_READ, threads, time)),

  /** PerformanceEvaluation's scanRange100. */
  PE_SCAN_RANGE(
      "pe-scan-range-100",
      "PE scanRange100: scans of up to 100 rows",
      (client, threads, time) -> client.run(PeClient.SCAN_RANGE_100, threads, time)),

  /** PerformanceEvaluation's randomSeekScan. */
  PE_SEEK_SCAN(
      "pe-random-seek-scan",
      "PE randomSeekScan: filtered scans of 120 rows",
      (client, threads, time) -> client.run(PeClient.RANDOM_SEEK_SCAN, threads, time)),

  /** PerformanceEvaluation's randomRead while one client runs its randomWrite. */
  PE_READ_WRITE(
      "pe-random-read-write",
      "PE randomRead while one client does randomWrite",
      PeClient::readsBesideWrites),

  /** YCSB's workload C. */
  YCSB_C("ycsb-c", "YCSB C: reads only, Zipf", new YcsbMix(1, 0, 0, 0, 0)),

  /** YCSB's workload A. */
  YCSB_A("ycsb-a", "YCSB A: 50 % reads, 50 % updates, Zipf", new YcsbMix(0.5, 0.5, 0, 0, 0)),

  /** YCSB's workload F. */
  YCSB_F(
      "ycsb-f",
      "YCSB F: 50 % reads, 50 % read-modify-writes, Zipf",
      new YcsbMix(0.5, 0, 0, 0, 0.5)),

  /** YCSB's workload E. */
  YCSB_E(
      "ycsb-e",
      "YCSB E: 95 % scans of 1 to 100 rows, 5 % inserts, Zipf",
      new YcsbMix(0, 0, 0.05, 0.95, 0)),

  /** Mostly inserts, some reads, few scans. */
  YCSB_INSERTS(
      "ycsb-inserts",
      "40 % reads, 55 % inserts, 5 % scans, Zipf",
      new YcsbMix(0.4, 0, 0.55, 0.05, 0));

  private final String id;
  private final String title;
  private final Group group;

  // A lambda that captures a client call or a mix of operations.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Run run;

  Workload(String id, String title, PeRun run) {
    this.id = id;
    this.title = title;
    this.group = Group.PE;
    this.run = (server, threads, load, time) -> run.run(server.pe(), threads, time);
  }

  Workload(String id, String title, YcsbMix mix) {
    this.id = id;
    this.title = title;
    this.group = Group.YCSB;
    this.run =
        (server, threads, load, time) ->
            server.ycsb().run(server.connection(), mix, threads, load, time);
  }

  /** Returns its short name. */
  public String id() {
    return id;
  }

  /** Returns what it does, in words. */
  public String title() {
    return title;
  }

  /** Returns the load generator that it comes from. */
  public Group group() {
    return group;
  }

  /**
   * Runs it for about this time, each thread as fast as answers come.
   *
   * @throws IOException if it cannot go on
   */
  LoadOutcome run(LoadedServer server, int threads, Duration time) throws IOException {
    return run(server, threads, OfferedLoad.unlimited(threads), time);
  }

  /**
   * Runs it for about this time.
   *
   * @param load how fast the threads want to call; PerformanceEvaluation does not heed it
   * @throws IOException if it cannot go on
   */
  public LoadOutcome run(LoadedServer server, int threads, OfferedLoad load, Duration time)
      throws IOException {
    return run.run(server, threads, load, time);
  }

  private interface Run {
    LoadOutcome run(LoadedServer server, int threads, OfferedLoad load, Duration time)
        throws IOException;
  }

  private interface PeRun {
    LoadOutcome run(PeClient client, int threads, Duration time) throws IOException;
  }

  /** Where workloads come from, and with that on which table they work. */
  public enum Group {
    /** HBase's own load generator. */
    PE("HBase's PerformanceEvaluation"),

    /** YCSB, with our binding. */
    YCSB("YCSB");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    /** Returns its name for people. */
    public String title() {
      return title;
    }
  }
}
