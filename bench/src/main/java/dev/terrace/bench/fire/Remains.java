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

import dev.terrace.bench.fire.inside.ServerContentsMXBean;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.TerraceStats;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.mob.MobUtils;

/**
 * What a fire left in all region servers together. Some minutes after it there is nothing.
 *
 * @param leasedBytes bytes of blocks that nobody reads any more and that are still leased
 * @param sickDevices devices that are out of service, or only read
 * @param deadBlocks cached blocks of files that no region has open
 * @param lostBuffers buffers of HBase's pool that are not back
 */
record Remains(long leasedBytes, long sickDevices, long deadBlocks, long lostBuffers) {

  static Remains of(Cluster cluster) throws IOException {
    long leased = 0;
    long sick = 0;
    long buffers = 0;
    Map<String, Long> blocks = new TreeMap<>();
    Set<String> live = mobFiles(cluster.clientConfiguration());
    for (RegionServer server : cluster.servers()) {
      for (TerraceStats.Tier tier : server.tiers()) {
        leased += tier.leasedBytes();
        sick += tier.devicesNotWell();
      }
      JmxClient.Bean contents =
          server
              .jmx()
              .bean(ServerContentsMXBean.NAME)
              .orElseThrow(() -> new IOException(server.name() + " does not tell what it has"));
      buffers += contents.number("lostBuffers");
      live.addAll(contents.numbersByName("openFiles").keySet());
      contents.numbersByName("cachedBlocks").forEach((file, n) -> blocks.merge(file, n, Long::sum));
    }
    blocks.keySet().removeAll(live);
    return new Remains(
        leased, sick, blocks.values().stream().mapToLong(Long::longValue).sum(), buffers);
  }

  /** Files of MOB cells: stores open them for each read alone. */
  private static Set<String> mobFiles(Configuration client) throws IOException {
    Set<String> names = new HashSet<>();
    Path home = MobUtils.getMobHome(client);
    try {
      RemoteIterator<LocatedFileStatus> files = FileSystem.get(client).listFiles(home, true);
      while (files.hasNext()) {
        names.add(files.next().getPath().getName());
      }
    } catch (FileNotFoundException e) {
      return names;
    }
    return names;
  }

  boolean isNothing() {
    return leasedBytes + sickDevices + deadBlocks + lostBuffers == 0;
  }

  /** Returns each figure by its name. */
  Map<String, Long> figures() {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("leased bytes left", leasedBytes);
    figures.put("devices out of service", sickDevices);
    figures.put("dead blocks left", deadBlocks);
    figures.put("buffers lost", lostBuffers);
    return figures;
  }
}
