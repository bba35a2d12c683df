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
package dev.terrace.bench.cases;

import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.LoadedServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The speed of a server over time, of several runs of a load one after the other. */
final class Course {

  private final long startNanos;
  private final List<LoadOutcome.SeriesPoint> points = new ArrayList<>();

  /** A course that began at a time of {@link System#nanoTime}. */
  Course(long startNanos) {
    this.startNanos = startNanos;
  }

  /** Returns the seconds since it began. */
  double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /** Returns what was added so far. */
  List<LoadOutcome.SeriesPoint> points() {
    return Collections.unmodifiableList(points);
  }

  /** Runs a load, adds its points, and checks what was read. */
  void add(LoadedServer server, Slice slice) throws IOException {
    double offset = seconds();
    LoadOutcome outcome = slice.run();
    server.requireRight();
    outcome.series().forEach(point -> points.add(point.later(offset)));
  }

  /** A short run of a load. */
  @FunctionalInterface
  interface Slice {

    LoadOutcome run() throws IOException;
  }
}
