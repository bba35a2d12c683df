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
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * What a server, this JVM and the machine have used up to a moment. A figure that the system does
 * not tell is absent.
 *
 * @param serverCpu processor time of the server
 * @param clientCpu processor time of this JVM
 * @param machine time of all cores
 * @param gcMillis time of the server's garbage collections
 * @param contextSwitches of the server's threads
 * @param contendedLocks how often a thread of the server found a Java monitor taken; locks of
 *     java.util.concurrent are not among these
 */
record Usage(
    ServerCpu serverCpu,
    Duration clientCpu,
    ProcessCounters.MachineTime machine,
    OptionalLong gcMillis,
    OptionalLong contextSwitches,
    OptionalLong contendedLocks) {

  private static final String CONTENDED = "sun.rt._sync_ContendedLockAttempts";
  private static final Path TEMPORARY = Path.of("/tmp");
  private static final ProcessCounters PROC = new ProcessCounters(Path.of("/proc"));

  /**
   * Takes all of it down.
   *
   * @throws IOException if the server does not answer
   */
  static Usage of(HBaseServer server) throws IOException {
    return new Usage(
        ServerCpu.of(server),
        clientCpuNow(),
        PROC.machineTime(),
        gcMillis(server),
        PROC.contextSwitches(server.pid()),
        contendedLocks(server.pid()));
  }

  private static Duration clientCpuNow() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? Duration.ofNanos(Math.max(0, system.getProcessCpuTime()))
        : Duration.ZERO;
  }

  private static OptionalLong gcMillis(HBaseServer server) throws IOException {
    List<JsonObject> collectors = server.jmx().beans("java.lang:type=GarbageCollector,*");
    return collectors.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(
            collectors.stream().mapToLong(bean -> bean.get("CollectionTime").getAsLong()).sum());
  }

  private static OptionalLong contendedLocks(long pid) {
    Path file = PerfCounters.file(TEMPORARY, System.getProperty("user.name"), pid);
    try {
      Long count = PerfCounters.read(file).get(CONTENDED);
      return count == null ? OptionalLong.empty() : OptionalLong.of(count);
    } catch (IOException e) {
      // Another JVM's own business, written down nowhere: then the figure is one that is not told.
      return OptionalLong.empty();
    }
  }

  /** Returns the difference of two counts, if both are there and it makes sense. */
  static OptionalLong difference(OptionalLong later, OptionalLong earlier) {
    return later.isPresent() && earlier.isPresent() && later.getAsLong() >= earlier.getAsLong()
        ? OptionalLong.of(later.getAsLong() - earlier.getAsLong())
        : OptionalLong.empty();
  }
}
