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

import dev.terrace.bench.hbase.HBaseServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Processor time of a server up to a moment. A server that spends much of it on compiling its code
 * has not yet the speed that it will have.
 *
 * @param all of the whole process
 * @param compilers of the threads in which the JVM compiles; absent where the system does not tell
 */
public record ServerCpu(Duration all, Optional<Duration> compilers) {

  private static final ProcessCounters PROC = new ProcessCounters(Path.of("/proc"));

  /** Takes it down. */
  public static ServerCpu of(HBaseServer server) {
    return new ServerCpu(server.processorTime(), PROC.compilerTime(server.pid()));
  }

  /** Returns the compilers' part of the time since an earlier moment, 0 to 1. */
  public OptionalDouble compilingShareSince(ServerCpu earlier) {
    long elapsed = all.minus(earlier.all).toNanos();
    return compilers.isEmpty() || earlier.compilers.isEmpty() || elapsed <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            (double) compilers.get().minus(earlier.compilers.get()).toNanos() / elapsed);
  }
}
