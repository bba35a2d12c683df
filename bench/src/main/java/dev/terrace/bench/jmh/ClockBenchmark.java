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
package dev.terrace.bench.jmh;

import dev.terrace.bench.workload.BenchmarkJvm;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Nothing, timed as single operations are: what two looks at the clock take, and what the machine
 * and the JVM take from any thread now and then. The floor of all latencies.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
    value = 3,
    jvmArgs = {
      BenchmarkJvm.HEAP,
      BenchmarkJvm.DIRECT,
      BenchmarkJvm.COLLECTOR,
      BenchmarkJvm.OPEN_LANG,
      BenchmarkJvm.OPEN_NIO,
      BenchmarkJvm.OPEN_CHANNELS,
      BenchmarkJvm.OPEN_MISC,
      BenchmarkJvm.NO_LEAK_DETECTION,
      BenchmarkJvm.RELOAD4J_ERRORS,
      BenchmarkJvm.LOG4J2_ERRORS
    })
public class ClockBenchmark {

  /** Nothing. */
  @Benchmark
  public void nothing() {}
}
