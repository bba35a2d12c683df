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
import dev.terrace.bench.server.MemoryGroup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * One run of a load generator against one server, with what it took.
 *
 * @param outcome what the clients saw
 * @param used what the run used of server, clients and machine
 * @param cache what it found in the server's cache
 */
public record LoadFigures(LoadOutcome outcome, Usage used, CacheUse cache) {

  private double perOperation(double figure) {
    return figure / Math.max(1, outcome.operations());
  }

  double microsPerOperation(double seconds) {
    return perOperation(1e6 * seconds);
  }

  /** Returns the server's processor time for one operation, in microseconds. */
  public double serverMicrosPerOperation() {
    return microsPerOperation(used.serverSeconds());
  }

  /** Returns the part of the data blocks that came from the cache, 0 to 1; NaN without any. */
  public double dataHitRatio() {
    return cache.dataHitRatio();
  }

  /** Returns a percentile of the operations' latencies; NaN if none was taken. */
  double latency(ToDoubleFunction<LatencyNanos> percentile) {
    LatencyNanos latency = outcome.latency();
    return latency.count() == 0 ? Double.NaN : percentile.applyAsDouble(latency);
  }

  /** Returns the idle part of all cores' time, 0 to 1; NaN if the system does not tell. */
  public double idleShare() {
    return used.machine().idleShare();
  }

  /** Returns the context switches of the server for one operation. */
  public double switchesPerOperation() {
    return perOperation(used.contextSwitches());
  }

  /** Returns the bytes that the server read from disks for one operation. */
  double diskBytesPerOperation() {
    return perOperation(used.diskBytesRead());
  }

  /** Returns the bytes that the server allocated on its heap for one operation. */
  public double garbagePerOperation() {
    return perOperation(used.garbageBytes());
  }

  /** Returns a part of the memory that the server was charged for; NaN if that has no limit. */
  double memory(ToDoubleFunction<MemoryGroup.Use> part) {
    return used.memory().map(part::applyAsDouble).orElse(Double.NaN);
  }

  /** Returns the figures under the names that results use. */
  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seconds", outcome.elapsed().toNanos() / 1e9);
    json.put("operations", outcome.operations());
    json.put("errors", outcome.errors());
    json.put("opsPerSecond", outcome.operationsPerSecond());
    json.put("latencyNanos", outcome.latency());
    json.put("serverCpuSeconds", used.serverSeconds());
    json.put("compilingShare", used.compilingShare());
    json.put("clientCpuSeconds", used.clientSeconds());
    json.put("idleShare", idleShare());
    json.put("gcMillis", used.gcMillis());
    json.put("contextSwitches", used.contextSwitches());
    json.put("diskBytesRead", used.diskBytesRead());
    json.put("residentBytes", memory(MemoryGroup.Use::residentBytes));
    json.put("pageCacheBytes", memory(MemoryGroup.Use::pageCacheBytes));
    json.put("dataHitRatio", cache.dataHitRatio());
    json.values().removeIf(value -> value instanceof Double number && number.isNaN());
    if (!cache.tierHits().isEmpty()) {
      json.put("tierHits", cache.tierHits());
    }
    return json;
  }
}
