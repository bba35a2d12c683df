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
package dev.terrace.bench.macro;

import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.pe.PeCommand;
import dev.terrace.bench.ycsb.YcsbWorkload;
import java.io.IOException;
import java.time.Duration;

/** The loads that configurations are compared under, in the order in which they run. */
public enum MacroWorkload {
  /** PerformanceEvaluation's randomRead. */
  PE_RANDOM_READ("pe-random-read", "PE randomRead: single rows, uniform", Group.PE) {
    @Override
    LoadOutcome run(MacroServer server, int threads, Duration time) throws IOException {
      return server.pe().run(PeCommand.RANDOM_READ, threads, time);
    }
  },
  /** PerformanceEvaluation's scanRange100. */
  PE_SCAN_RANGE("pe-scan-range-100", "PE scanRange100: scans of up to 100 rows", Group.PE) {
    @Override
    LoadOutcome run(MacroServer server, int threads, Duration time) throws IOException {
      return server.pe().run(PeCommand.SCAN_RANGE_100, threads, time);
    }
  },
  /** PerformanceEvaluation's randomSeekScan. */
  PE_SEEK_SCAN("pe-random-seek-scan", "PE randomSeekScan: filtered scans of 120 rows", Group.PE) {
    @Override
    LoadOutcome run(MacroServer server, int threads, Duration time) throws IOException {
      return server.pe().run(PeCommand.RANDOM_SEEK_SCAN, threads, time);
    }
  },
  /** PerformanceEvaluation's randomRead while one client runs its randomWrite. */
  PE_READ_WRITE(
      "pe-random-read-write", "PE randomRead while one client does randomWrite", Group.PE) {
    @Override
    LoadOutcome run(MacroServer server, int threads, Duration time) throws IOException {
      return server.pe().readsBesideWrites(threads, time);
    }
  },
  /** YCSB C. */
  YCSB_C(YcsbWorkload.C),
  /** YCSB A. */
  YCSB_A(YcsbWorkload.A),
  /** YCSB F. */
  YCSB_F(YcsbWorkload.F),
  /** YCSB E. */
  YCSB_E(YcsbWorkload.E),
  /** 40 % reads, 55 % inserts, 5 % scans. */
  YCSB_INSERTS(YcsbWorkload.INSERTS);

  private static final Duration SERIES_INTERVAL = Duration.ofMillis(500);

  private final String id;
  private final String title;
  private final Group group;
  private final YcsbWorkload ycsb;

  MacroWorkload(String id, String title, Group group) {
    this.id = id;
    this.title = title;
    this.group = group;
    this.ycsb = null;
  }

  MacroWorkload(YcsbWorkload ycsb) {
    this.id = ycsb.id();
    this.title = ycsb.title() + ", Zipf";
    this.group = Group.YCSB;
    this.ycsb = ycsb;
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

  /** Runs it for about this time. */
  LoadOutcome run(MacroServer server, int threads, Duration time) throws IOException {
    return server.ycsb().run(server.connection(), ycsb, threads, time, SERIES_INTERVAL);
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
