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

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One run of a load generator against one server, with what it took. A figure that the system does
 * not tell is NaN.
 *
 * @param outcome what the clients saw
 * @param serverCpuSeconds processor time of the server
 * @param compilingShare part of it in which the server compiled its code, 0 to 1
 * @param clientCpuSeconds processor time of this JVM, which runs the clients
 * @param idleShare idle part of all cores' time, 0 to 1
 * @param gcMillis time of the server's garbage collections
 * @param contextSwitches of the server's threads
 * @param dataHitRatio part of the data blocks that came from the cache, 0 to 1; NaN when none was
 *     asked for
 * @param tierHits hits by name of tier; empty when the server runs without Terrace
 */
public record LoadFigures(
    LoadOutcome outcome,
    double serverCpuSeconds,
    double compilingShare,
    double clientCpuSeconds,
    double idleShare,
    double gcMillis,
    double contextSwitches,
    double dataHitRatio,
    Map<String, Long> tierHits) {

  /** Keeps the order of the tiers. */
  public LoadFigures {
    tierHits = new LinkedHashMap<>(tierHits);
  }

  /** Returns a figure for one operation. */
  double perOperation(double figure) {
    return figure / Math.max(1, outcome.operations());
  }

  /** Returns the context switches of the server for one operation. */
  public double switchesPerOperation() {
    return perOperation(contextSwitches);
  }

  /** Returns the figures under the names that results use. */
  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seconds", outcome.elapsed().toNanos() / 1e9);
    json.put("operations", outcome.operations());
    json.put("errors", outcome.errors());
    json.put("opsPerSecond", outcome.operationsPerSecond());
    json.put("latencyMicros", outcome.latenciesMicros());
    json.put("serverCpuSeconds", serverCpuSeconds);
    json.put("compilingShare", compilingShare);
    json.put("clientCpuSeconds", clientCpuSeconds);
    json.put("idleShare", idleShare);
    json.put("gcMillis", gcMillis);
    json.put("contextSwitches", contextSwitches);
    json.put("dataHitRatio", dataHitRatio);
    json.values().removeIf(value -> value instanceof Double number && number.isNaN());
    if (!tierHits.isEmpty()) {
      json.put("tierHits", tierHits);
    }
    return json;
  }
}
