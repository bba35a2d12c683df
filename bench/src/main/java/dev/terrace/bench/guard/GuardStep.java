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
package dev.terrace.bench.guard;

import java.util.ArrayList;
import java.util.List;

/**
 * One of the benchmarks, run shortly.
 *
 * @param name the command, below {@code bench}
 * @param options what makes it short
 * @param promises how many promises such a run can be held to
 */
record GuardStep(String name, List<String> options, int promises) {

  /** What guards all promises, in a few minutes. */
  static final List<GuardStep> ALL =
      List.of(
          new GuardStep(
              "hit",
              List.of(
                  "--caches=floor,lru,bucket-offheap,terrace",
                  "--threads=1,2",
                  "--forks=3",
                  "--warmups=4",
                  "--iterations=3",
                  "--time=500",
                  "--no-latency"),
              8),
          new GuardStep(
              "hit",
              List.of(
                  "--caches=bucket-pmem,terrace-pmem,bucket-file,terrace-ssd,terrace-ssd-noverify",
                  "--threads=1",
                  "--forks=3",
                  "--warmups=6",
                  "--iterations=3",
                  "--time=500",
                  "--no-latency"),
              4),
          new GuardStep("put", List.of("--forks=1", "--caches=terrace"), 2),
          new GuardStep("churn", List.of("--seconds=15"), 3),
          new GuardStep("memory", List.of("--only-terrace"), 10),
          new GuardStep("pause", List.of("--only-stalled", "--seconds=3"), 2));

  /** The arguments of {@code bench}, but for where the results go. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add(name);
    arguments.addAll(options);
    return List.copyOf(arguments);
  }

  /** The command line that repeats it. */
  String command() {
    return "bin/terrace bench " + String.join(" ", arguments());
  }
}
