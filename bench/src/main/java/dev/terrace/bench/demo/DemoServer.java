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
package dev.terrace.bench.demo;

import dev.terrace.bench.hbase.CacheConfiguration;
import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.hbase.ServerFleet;
import dev.terrace.bench.hbase.TerraceStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The one HBase server that runs at a time, always over the same data. Used by one thread. */
final class DemoServer {

  private final Console console;
  private final ServerFleet fleet;
  private final RunFolders folders;
  private HBaseServer current;

  DemoServer(Console console, ServerFleet fleet, RunFolders folders) {
    this.console = console;
    this.fleet = fleet;
    this.folders = folders;
  }

  /** Starts HBase with a cache. */
  void start(CacheConfiguration cache) throws IOException {
    Path folder = folders.server(cache.name());
    console.say("Starting HBase with " + cache.title() + ", in " + folder);
    long start = System.nanoTime();
    current = fleet.start(cache, folder, folders.loadedData(), Map.of());
    console.say(
        String.format(
            Locale.ROOT,
            "      up after %.0f s%n      region server: %s%n      JMX: %s",
            (System.nanoTime() - start) / 1e9,
            current.regionServerPage(),
            cache.withDropInJar()
                ? current.jmx().address(TerraceStats.QUERY)
                : current.jmx().address()));
  }

  /** Ends the server as {@code kill -9} does. */
  void kill9() {
    fleet.kill9(current);
  }

  /** Stops the server. */
  void stop() {
    fleet.stop(current);
  }

  /** Returns the server that was started last. */
  HBaseServer current() {
    return current;
  }

  /** Returns the folder of a server's hbase-site.xml. */
  Path configuration(CacheConfiguration cache) {
    return folders.server(cache.name()).resolve("conf");
  }

  /** Returns the folder of data and logs. */
  Path directory() {
    return folders.work();
  }
}
