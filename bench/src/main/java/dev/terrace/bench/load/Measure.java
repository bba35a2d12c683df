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

import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.server.ServerSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * One server under one load.
 *
 * @param setup the server
 * @param runs one for each round
 */
public record Measure(ServerSetup setup, Workload workload, int threads, List<LoadFigures> runs) {

  public Measure {
    runs = List.copyOf(runs);
  }

  /** Returns server and load, in words. */
  public String name() {
    String clients = threads == 1 ? " thread" : " threads";
    return setup.title() + ", " + workload.title() + ", " + threads + clients;
  }

  /** Returns how tables and charts show it. */
  public Look look() {
    return setup.isTerrace() ? Look.TERRACE : Look.PEER;
  }

  public List<Double> operationsPerSecond() {
    return runs.stream().map(run -> run.outcome().operationsPerSecond()).toList();
  }

  public Summary speed() {
    return LoadTables.speed(runs);
  }

  public double median(ToDoubleFunction<LoadFigures> figure) {
    return LoadTables.median(runs, figure);
  }

  /** Returns all runs under the names that results use. */
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name());
    json.put("configuration", setup.name());
    json.put("workload", workload.id());
    json.put("threads", threads);
    json.put("runs", runs.stream().map(LoadFigures::toJson).toList());
    return json;
  }
}
