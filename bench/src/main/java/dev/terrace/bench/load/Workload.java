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
  PE_RANDOM_READ("pe-random-read", "PE randomRead: single rows, uniform", PeClient.RANDOM_READ),
  PE_SCAN_RANGE(
      "pe-scan-range-100", "PE scanRange100: scans of up to 100 rows", PeClient.SCAN_RANGE_100),
  PE_SEEK_SCAN(
      "pe-random-seek-scan",
      "PE randomSeekScan: filtered scans of 120 rows",
      PeClient.RANDOM_SEEK_SCAN),
  YCSB_C("ycsb-c", "YCSB C: reads only, Zipf", new YcsbClient.Mix(1, 0, 0, 0, 0)),
  YCSB_A("ycsb-a", "YCSB A: 50 % reads, 50 % updates, Zipf", new YcsbClient.Mix(0.5, 0.5, 0, 0, 0)),
  YCSB_F(
      "ycsb-f",
      "YCSB F: 50 % reads, 50 % read-modify-writes, Zipf",
      new YcsbClient.Mix(0.5, 0, 0, 0, 0.5)),
  YCSB_E(
      "ycsb-e",
      "YCSB E: 95 % scans of 1 to 100 rows, 5 % inserts, Zipf",
      new YcsbClient.Mix(0, 0, 0.05, 0.95, 0)),
  YCSB_INSERTS(
      "ycsb-inserts",
      "40 % reads, 55 % inserts, 5 % scans, Zipf",
      new YcsbClient.Mix(0.4, 0, 0.55, 0.05, 0));

  private final String id;
  private final String title;
  private final Group group;
  private final String command;

  // A record of numbers.
  @SuppressWarnings("ImmutableEnumChecker")
  private final YcsbClient.Mix mix;

  Workload(String id, String title, String command) {
    this.id = id;
    this.title = title;
    this.group = Group.PE;
    this.command = command;
    this.mix = null;
  }

  Workload(String id, String title, YcsbClient.Mix mix) {
    this.id = id;
    this.title = title;
    this.group = Group.YCSB;
    this.command = null;
    this.mix = mix;
  }

  /** Returns its name on the command line and in JSON. */
  public String id() {
    return id;
  }

  /** Returns what it does, in words. */
  public String title() {
    return title;
  }

  public Group group() {
    return group;
  }

  /** Runs it for about this time, each thread as fast as answers come. */
  public LoadOutcome run(LoadedServer server, int threads, Duration time) throws IOException {
    return run(server, threads, OfferedLoad.unlimited(threads), time);
  }

  /** Runs it for about this time; PerformanceEvaluation does not heed the offered load. */
  public LoadOutcome run(LoadedServer server, int threads, OfferedLoad load, Duration time)
      throws IOException {
    if (group == Group.YCSB) {
      return server.ycsb().run(server.connection(), mix, threads, load, time);
    }
    return server.pe().run(command, threads, time);
  }

  /** The load generator of a workload, which determines its table. */
  public enum Group {
    PE("HBase's PerformanceEvaluation"),
    YCSB("YCSB");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }
}
