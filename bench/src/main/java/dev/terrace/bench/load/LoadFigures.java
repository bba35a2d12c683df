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
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One run of a load generator against one server, with what it took. A figure that the system does
 * not tell is absent.
 *
 * @param outcome what the clients saw
 * @param serverCpuSeconds processor time of the server
 * @param compilingShare part of it in which the server compiled its code, 0 to 1
 * @param clientCpuSeconds processor time of this JVM, which runs the clients
 * @param idleShare idle part of all cores' time, 0 to 1
 * @param gcMillis time of the server's garbage collections
 * @param contextSwitches of the server's threads
 * @param contendedLocks how often a thread of the server found a Java monitor taken
 * @param dataHitRatio part of the data blocks that came from the cache, 0 to 1; absent when none
 *     was asked for
 * @param tierHits hits by name of tier; empty when the server runs without Terrace
 */
public record LoadFigures(
    LoadOutcome outcome,
    double serverCpuSeconds,
    OptionalDouble compilingShare,
    double clientCpuSeconds,
    OptionalDouble idleShare,
    OptionalLong gcMillis,
    OptionalLong contextSwitches,
    OptionalLong contendedLocks,
    OptionalDouble dataHitRatio,
    Map<String, Long> tierHits) {

  /** Keeps the order of the tiers. */
  public LoadFigures {
    tierHits = new LinkedHashMap<>(tierHits);
  }

  static LoadFigures of(LoadOutcome outcome, Usage before, Usage after, CacheUse cache) {
    long blocks = cache.counters().dataHits() + cache.counters().fileReads();
    return new LoadFigures(
        outcome,
        after.serverCpu().all().minus(before.serverCpu().all()).toNanos() / 1e9,
        after.serverCpu().compilingShareSince(before.serverCpu()),
        after.clientCpu().minus(before.clientCpu()).toNanos() / 1e9,
        after.machine().idleShareSince(before.machine()),
        Usage.difference(after.gcMillis(), before.gcMillis()),
        Usage.difference(after.contextSwitches(), before.contextSwitches()),
        Usage.difference(after.contendedLocks(), before.contendedLocks()),
        blocks == 0 ? OptionalDouble.empty() : OptionalDouble.of(cache.counters().dataHitRatio()),
        cache.tierHits());
  }

  /** Returns the server's processor time for one operation, in microseconds. */
  public double serverCpuMicrosPerOperation() {
    return 1e6 * serverCpuSeconds / Math.max(1, outcome.operations());
  }

  /** Returns the figures under the names that reports use. */
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seconds", outcome.elapsed().toNanos() / 1e9);
    json.put("operations", outcome.operations());
    json.put("errors", outcome.errors());
    json.put("opsPerSecond", outcome.operationsPerSecond());
    json.put("latencyMicros", outcome.latenciesMicros());
    json.put("serverCpuSeconds", serverCpuSeconds);
    compilingShare.ifPresent(share -> json.put("compilingShare", share));
    json.put("clientCpuSeconds", clientCpuSeconds);
    idleShare.ifPresent(share -> json.put("idleShare", share));
    gcMillis.ifPresent(millis -> json.put("gcMillis", millis));
    contextSwitches.ifPresent(count -> json.put("contextSwitches", count));
    contendedLocks.ifPresent(count -> json.put("contendedLocks", count));
    dataHitRatio.ifPresent(ratio -> json.put("dataHitRatio", ratio));
    if (!tierHits.isEmpty()) {
      json.put("tierHits", tierHits);
    }
    return json;
  }
}
