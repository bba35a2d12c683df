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

import dev.terrace.bench.fire.inside.ServerContentsMXBean;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.MemoryGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What a server, this JVM and the machine have used up to a moment, or between two. A figure that
 * the system does not tell is NaN.
 *
 * @param serverSeconds processor time of the server
 * @param compilerSeconds part of it in which the server's JVM compiled its code
 * @param clientSeconds processor time of this JVM, which runs the clients
 * @param machine time of all cores
 * @param gcMillis time of the server's garbage collections
 * @param contextSwitches of the server's threads; a thread that ends takes its own along
 * @param diskBytesRead what the server had read from disks
 * @param garbageBytes what its threads allocated on the heap; NaN unless it has {@link
 *     ServerContents}
 * @param memory what the server was charged for at the last moment, if its memory is limited
 */
public record Usage(
    double serverSeconds,
    double compilerSeconds,
    double clientSeconds,
    ProcessCounters.MachineTime machine,
    double gcMillis,
    double contextSwitches,
    double diskBytesRead,
    double garbageBytes,
    Optional<MemoryGroup.Use> memory) {

  private static final ProcessCounters PROC = new ProcessCounters(Path.of("/proc"));

  /** Reads all of it. */
  public static Usage of(HBaseServer server) throws IOException {
    long gcMillis = 0;
    for (JmxClient.Bean collector : server.jmx().beans("java.lang:type=GarbageCollector,*")) {
      gcMillis += collector.number("CollectionTime");
    }
    Duration client = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    return new Usage(
        server.processorTime().toNanos() / 1e9,
        PROC.compilerSeconds(server.pid()),
        client.toNanos() / 1e9,
        PROC.machineTime(),
        gcMillis,
        PROC.contextSwitches(server.pid()),
        PROC.diskBytesRead(server.pid()),
        garbageBytes(server),
        server.memoryUse());
  }

  private static double garbageBytes(HBaseServer server) throws IOException {
    Optional<JmxClient.Bean> contents = server.jmx().bean(ServerContentsMXBean.NAME);
    return contents.isPresent() ? contents.get().number("allocatedBytes") : Double.NaN;
  }

  /** Returns what was used between an earlier moment and this one. */
  public Usage since(Usage earlier) {
    return new Usage(
        serverSeconds - earlier.serverSeconds,
        compilerSeconds - earlier.compilerSeconds,
        clientSeconds - earlier.clientSeconds,
        machine.since(earlier.machine),
        gcMillis - earlier.gcMillis,
        Math.max(0, contextSwitches - earlier.contextSwitches),
        diskBytesRead - earlier.diskBytesRead,
        garbageBytes - earlier.garbageBytes,
        memory);
  }

  /** Returns the compilers' part of the server's time, 0 to 1. */
  public double compilingShare() {
    return compilerSeconds / serverSeconds;
  }
}
