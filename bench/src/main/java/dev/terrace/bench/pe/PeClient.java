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
package dev.terrace.bench.pe;

import dev.terrace.bench.load.ClientThreads;
import dev.terrace.bench.load.Latencies;
import dev.terrace.bench.load.LoadOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;

/**
 * Runs PerformanceEvaluation against one server. It knows no limit of time, so the client learns
 * from each run how many operations fit into the time of the next one. Used by one thread.
 */
public final class PeClient {

  private static final int DIGITS = 3;
  private static final long PROBE_OPERATIONS = 50;
  private static final long WRITES_A_TURN = 1_000;

  private final Configuration configuration;
  private final PeTable table;
  private final Map<PeCommand, Double> operationsPerSecond = new EnumMap<>(PeCommand.class);

  /**
   * A client.
   *
   * @param configuration finds the server
   */
  public PeClient(Configuration configuration, PeTable table) {
    this.configuration = configuration;
    this.table = table;
  }

  /**
   * Runs a command for about this time; the first run of a command begins with a short one.
   *
   * @param threads how many clients call, each as fast as answers come
   * @throws IOException if a client fails
   */
  public LoadOutcome run(PeCommand command, int threads, Duration time) throws IOException {
    if (!operationsPerSecond.containsKey(command)) {
      LoadOutcome probe = operations(command, threads, PROBE_OPERATIONS);
      operationsPerSecond.put(command, probe.operationsPerSecond());
    }
    double wanted = operationsPerSecond.get(command) * time.toNanos() / 1e9 / threads;
    LoadOutcome outcome =
        operations(command, threads, Math.max(PROBE_OPERATIONS, Math.round(wanted)));
    operationsPerSecond.put(command, outcome.operationsPerSecond());
    return outcome;
  }

  /**
   * Runs random reads for about this time, while one more thread writes random rows; the outcome is
   * that of the reads.
   *
   * @param threads how many clients there are; one of them writes
   * @throws IOException if a client fails
   */
  public LoadOutcome readsBesideWrites(int threads, Duration time) throws IOException {
    AtomicBoolean reading = new AtomicBoolean(true);
    AtomicReference<LoadOutcome> reads = new AtomicReference<>();
    ClientThreads.run(
        "pe-read-write",
        2,
        thread -> {
          if (thread == 0) {
            try {
              reads.set(run(PeCommand.RANDOM_READ, Math.max(1, threads - 1), time));
            } finally {
              reading.set(false);
            }
          } else {
            while (reading.get() && !Thread.currentThread().isInterrupted()) {
              operations(PeCommand.RANDOM_WRITE, 1, WRITES_A_TURN);
            }
          }
        });
    return reads.get();
  }

  private LoadOutcome operations(PeCommand command, int threads, long operationsOfThread)
      throws IOException {
    Map<String, Object> options = new HashMap<>();
    options.put("cmdName", command.word());
    options.put("nomapred", true);
    options.put("oneCon", true);
    options.put("numClientThreads", threads);
    options.put("perClientRunRows", operationsOfThread);
    options.put("totalRows", table.rows());
    options.put("autoFlush", true);
    return outcome(PeBridge.run(options, configuration), threads * operationsOfThread);
  }

  private static LoadOutcome outcome(List<PeBridge.ClientResult> results, long operations) {
    long millis = 1;
    Histogram total = new Histogram(DIGITS);
    for (PeBridge.ClientResult result : results) {
      millis = Math.max(millis, result.millis());
      for (long micros : result.latenciesMicros().getValues()) {
        total.recordValue(micros);
      }
    }
    Latencies latencies =
        new Latencies(
            total.getValueAtPercentile(50),
            total.getValueAtPercentile(95),
            total.getValueAtPercentile(99),
            total.getValueAtPercentile(99.9),
            total.getMaxValue());
    return new LoadOutcome(Duration.ofMillis(millis), operations, 0, latencies, List.of());
  }
}
