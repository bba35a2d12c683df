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
package dev.terrace.bench.report.runs;

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.chart.Look;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One cache under some conditions, as {@code bench hit} writes it.
 *
 * @param operation what was done, such as {@code hit}
 * @param conditions the blocks, the keys and the threads, for people
 * @param cache its label
 * @param latencyNanos percentiles by name, empty if they were not measured
 */
record HitRow(
    String operation,
    String conditions,
    String cache,
    Summary opsPerSecond,
    Optional<Summary> bytesPerHit,
    OptionalDouble hitShare,
    OptionalDouble refusedShare,
    Map<String, Summary> latencyNanos) {

  private static final String HIT = "hit";

  static final List<String> PERCENTILES = List.of("p50", "p99", "p999");

  static HitRow of(Fields fields) throws RunFileException {
    String operation = fields.text("operation").orElse(HIT);
    List<String> conditions = new ArrayList<>();
    if (fields.number("blockSizeBytes").isPresent()) {
      conditions.add(
          Numbers.threeDigits(fields.needNumber("blockSizeBytes") / 1024) + " KB blocks");
    }
    fields.text("distribution").ifPresent(keys -> conditions.add(keys + " keys"));
    if (fields.number("threads").isPresent()) {
      int threads = (int) fields.needNumber("threads");
      conditions.add(threads == 1 ? "1 thread" : threads + " threads");
    }
    return new HitRow(
        operation,
        String.join(", ", conditions),
        fields.needText("cache"),
        fields.needSummary("opsPerSecond"),
        fields.summary("bytesPerHit"),
        fields.number("hitShare"),
        fields.number("refusedShare"),
        latency(fields));
  }

  private static Map<String, Summary> latency(Fields fields) throws RunFileException {
    Map<String, Summary> percentiles = new LinkedHashMap<>();
    Optional<Fields> latency = fields.object("latencyNanos");
    if (latency.isPresent()) {
      for (String name : PERCENTILES) {
        latency.get().summary(name).ifPresent(nanos -> percentiles.put(name, nanos));
      }
    }
    return percentiles;
  }

  boolean isHit() {
    return operation.equals(HIT);
  }

  Comparisons.Figure figure() {
    return new Comparisons.Figure(title(), opsPerSecond);
  }

  boolean isTerrace() {
    return Caches.isTerrace(cache);
  }

  String title() {
    return Caches.title(cache);
  }

  Look look() {
    return Caches.look(cache);
  }

  /** The label of the BucketCache that keeps its blocks in the same kind of place. */
  String bucketCache() {
    return Caches.kind(cache).map(kind -> kind.bucketCacheBeside().label()).orElse("");
  }

  /** The label of the floor of caches that keep their blocks in the same kind of place. */
  String floor() {
    return !bucketCache().equals(CacheKind.BUCKET_FILE.label())
        ? "floor"
        : cache.endsWith("-direct") ? "pread-direct" : "pread";
  }

  /** Whether this is a cache of HBase that a cache of Terrace takes the place of. */
  boolean isPeerOf(HitRow terrace) {
    return !isTerrace() && !Caches.isBound(cache) && bucketCache().equals(terrace.bucketCache());
  }
}
