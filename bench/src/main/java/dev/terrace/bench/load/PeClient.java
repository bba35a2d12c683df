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

import dev.terrace.bench.report.LatencyNanos;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.PerformanceEvaluation;

/**
 * Runs HBase's PerformanceEvaluation against one server, in this JVM. It knows no limit of time, so
 * the client learns from each run how many operations fit into the time of the next one. Its
 * command line logs results and returns none; the method behind it returns them, but is not public,
 * hence the reflection. Used by one thread.
 */
final class PeClient {

  static final String RANDOM_READ = "randomRead";
  static final String SCAN_RANGE_100 = "scanRange100";
  static final String RANDOM_SEEK_SCAN = "randomSeekScan";

  private static final String OPTIONS = PerformanceEvaluation.class.getName() + "$TestOptions";
  private static final String RESULT = PerformanceEvaluation.class.getName() + "$RunResult";
  private static final long PROBE_OPERATIONS = 50;

  private final Configuration configuration;
  private final long rows;
  private final Map<String, Double> operationsPerSecond = new HashMap<>();

  PeClient(Configuration configuration, long rows) {
    this.configuration = configuration;
    this.rows = rows;
  }

  /** Runs a command for about this time; its first run begins with a short one. */
  LoadOutcome run(String command, int threads, Duration time) throws IOException {
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

  private LoadOutcome operations(String command, int threads, long operationsOfThread)
      throws IOException {
    try {
      Class<?> type = Class.forName(OPTIONS);
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      Object options = constructor.newInstance();
      set(options, "setCmdName", String.class, command);
      set(options, "setNomapred", boolean.class, true);
      set(options, "setOneCon", boolean.class, true);
      set(options, "setNumClientThreads", int.class, threads);
      set(options, "setPerClientRunRows", int.class, Math.toIntExact(operationsOfThread));
      set(options, "setTotalRows", long.class, rows);
      set(options, "setAutoFlush", boolean.class, true);
      Method clients =
          PerformanceEvaluation.class.getDeclaredMethod(
              "doLocalClients", type, Configuration.class);
      clients.setAccessible(true);
      return outcome(
          (Object[]) clients.invoke(null, options, configuration), threads * operationsOfThread);
    } catch (InvocationTargetException e) {
      throw failure(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this HBase's PerformanceEvaluation is a different one", e);
    }
  }

  private static void set(Object options, String setter, Class<?> type, Object value)
      throws ReflectiveOperationException {
    Method method = options.getClass().getDeclaredMethod(setter, type);
    method.setAccessible(true);
    method.invoke(options, value);
  }

  private static LoadOutcome outcome(Object[] results, long operations)
      throws ReflectiveOperationException {
    Class<?> type = Class.forName(RESULT);
    Field duration = type.getDeclaredField("duration");
    Field histogram = type.getDeclaredField("hist");
    duration.setAccessible(true);
    histogram.setAccessible(true);
    long millis = 1;
    Histogram nanos = LatencyNanos.newHistogram();
    for (Object result : results) {
      millis = Math.max(millis, duration.getLong(result));
      var latencies = (com.codahale.metrics.Histogram) histogram.get(result);
      for (long micros : latencies.getSnapshot().getValues()) {
        nanos.recordValue(1_000 * micros);
      }
    }
    return new LoadOutcome(
        Duration.ofMillis(millis), operations, 0, LatencyNanos.of(nanos), List.of());
  }

  private static IOException failure(Throwable cause) {
    if (cause instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return (IOException)
          new InterruptedIOException("PerformanceEvaluation was interrupted").initCause(cause);
    }
    return cause instanceof IOException io
        ? io
        : new IOException("PerformanceEvaluation failed: " + cause, cause);
  }
}
