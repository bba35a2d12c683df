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

import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.JmxBean;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a server, this JVM and the machine have used up to a moment. A figure that the system does
 * not tell is NaN.
 *
 * @param serverSeconds processor time of the server
 * @param compilerSeconds of the threads in which the server's JVM compiles. A server that spends
 *     much of its time on that has not yet the speed that it will have
 * @param clientSeconds processor time of this JVM
 * @param machine time of all cores
 * @param gcMillis time of the server's garbage collections
 * @param contextSwitches of the server's threads
 */
public record Usage(
    double serverSeconds,
    double compilerSeconds,
    double clientSeconds,
    ProcessCounters.MachineTime machine,
    double gcMillis,
    double contextSwitches) {

  private static final ProcessCounters PROC = new ProcessCounters(Path.of("/proc"));

  /**
   * Reads all of it.
   *
   * @throws IOException if the server does not answer
   */
  public static Usage of(HBaseServer server) throws IOException {
    long gcMillis = 0;
    for (JmxBean collector : server.jmx().beans("java.lang:type=GarbageCollector,*")) {
      gcMillis += collector.number("CollectionTime");
    }
    Duration client = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    return new Usage(
        server.processorTime().toNanos() / 1e9,
        PROC.compilerSeconds(server.pid()),
        client.toNanos() / 1e9,
        PROC.machineTime(),
        gcMillis,
        PROC.contextSwitches(server.pid()));
  }

  /** Returns the compilers' part of the server's time since an earlier moment, 0 to 1. */
  public double compilingShareSince(Usage earlier) {
    return (compilerSeconds - earlier.compilerSeconds) / (serverSeconds - earlier.serverSeconds);
  }
}
