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

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/** What happens to processes of region servers. After each fault all of them run, or start. */
final class ServerFaults {

  private static final long LEAST_MILLIS = 100;
  private static final long MOST_MILLIS = 5_000;

  private final Cluster cluster;
  private final CountDownLatch over;
  private final Timeline timeline;

  ServerFaults(Cluster cluster, CountDownLatch over, Timeline timeline) {
    this.cluster = cluster;
    this.over = over;
    this.timeline = timeline;
  }

  List<Fault> all() {
    return List.of(new Fault("kill -9", 2, this::kill), new Fault("suspend", 1, this::suspend));
  }

  private String kill(SplittableRandom random) throws IOException {
    RegionServer server = choose(random);
    server.daemon().kill9();
    try {
      return server.name() + ", " + pause(random);
    } finally {
      server.daemon().start();
    }
  }

  private String suspend(SplittableRandom random) throws IOException {
    RegionServer server = choose(random);
    server.daemon().suspend();
    try {
      return server.name() + ", " + pause(random);
    } finally {
      server.daemon().resume();
    }
  }

  private RegionServer choose(SplittableRandom random) throws IOException {
    restartDead();
    List<RegionServer> servers = cluster.servers();
    return servers.get(random.nextInt(servers.size()));
  }

  /** Starts servers that ended by themselves, as one does that was suspended for too long. */
  void restartDead() throws IOException {
    for (RegionServer server : cluster.servers()) {
      if (!server.daemon().isAlive()) {
        timeline.ended(server.daemon().failure("ended by itself").getMessage());
        server.daemon().start();
      }
    }
  }

  private String pause(SplittableRandom random) throws IOException {
    Duration time = Duration.ofMillis(random.nextLong(LEAST_MILLIS, MOST_MILLIS));
    boolean unused = Pause.until(over, time);
    return "back after " + time.toMillis() + " ms";
  }
}
