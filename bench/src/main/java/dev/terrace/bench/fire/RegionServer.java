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
package dev.terrace.bench.fire;

import dev.terrace.bench.server.Daemon;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.soak.ServerProbe;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A region server and the folders of its cache. Its ports and folders outlast its process.
 *
 * @param port its RPC port
 * @param caches folders of its PMem and SSD tiers
 * @param settings its hbase-site.xml at the start
 */
record RegionServer(
    Daemon daemon, int port, JmxClient jmx, List<Path> caches, Map<String, String> settings) {

  private static final String SITE = "hbase-site.xml";

  String name() {
    return daemon.name();
  }

  /** Writes its hbase-site.xml, with these settings in the place of the first ones. */
  void configure(Map<String, String> others) throws IOException {
    Map<String, String> all = new TreeMap<>(settings);
    all.putAll(others);
    daemon.configure(SITE, all);
  }

  /** Returns what its tiers did since it was started; without Terrace none. */
  List<TerraceStats.Tier> tiers() throws IOException {
    return TerraceStats.read(jmx).map(TerraceStats::tiers).orElse(List.of());
  }

  /** Returns whether its process stands still: somebody listens, and nobody answers for long. */
  boolean standsStill() {
    try {
      return !jmx.answers();
    } catch (IOException e) {
      return e.getCause() instanceof HttpTimeoutException;
    }
  }

  /** Returns what samples it, over all its restarts. */
  ServerProbe probe() {
    return new ServerProbe(name(), jmx, daemon.folder().log(), caches);
  }
}
