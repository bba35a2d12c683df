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
import dev.terrace.bench.server.Hdfs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/** What happens to the processes that region servers need: after each fault all of them work. */
final class ServiceFaults {

  private static final Duration MOST = Duration.ofSeconds(10);

  private final Cluster cluster;
  private final Outages outages;

  ServiceFaults(Cluster cluster, CountDownLatch over) {
    this.cluster = cluster;
    this.outages = new Outages(over);
  }

  List<Fault> all() {
    Hdfs hdfs = cluster.hdfs();
    return List.of(
        new Fault("master lost", 2, random -> kill(cluster.master(), random)),
        new Fault("ZooKeeper lost", 2, random -> kill(cluster.zooKeeper(), random)),
        new Fault("ZooKeeper hangs", 1, random -> suspend(cluster.zooKeeper(), random)),
        new Fault("DataNode lost", 3, random -> kill(dataNode(random), random)),
        new Fault("DataNode hangs", 2, random -> suspend(dataNode(random), random)),
        new Fault("NameNode lost", 1, random -> kill(hdfs.nameNode(), random)),
        new Fault("NameNode hangs", 1, random -> suspend(hdfs.nameNode(), random)));
  }

  private Daemon dataNode(SplittableRandom random) {
    List<Daemon> all = cluster.hdfs().dataNodes();
    return all.get(random.nextInt(all.size()));
  }

  private String kill(Daemon daemon, SplittableRandom random) throws IOException {
    String back = outages.kill(daemon, random, MOST);
    // Two that are away at a time are more than HDFS with two DataNodes survives.
    cluster.hdfs().awaitAtWork();
    return daemon.name() + ", " + back;
  }

  private String suspend(Daemon daemon, SplittableRandom random) throws IOException {
    return daemon.name() + ", " + outages.suspend(daemon, random, MOST);
  }
}
