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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/** What happens to processes of region servers. After each fault all of them run, or start. */
final class ServerFaults {

  private static final Duration SHORT = Duration.ofSeconds(5);

  private static final Duration SHORTAGE = Duration.ofSeconds(15);
  private static final Duration SHORTAGE_STEP = Duration.ofMillis(200);

  /**
   * Others take the regions of a server that was away for HBase's 90 s; it ends when it wakes up.
   */
  private static final Duration BEYOND_A_SESSION = Duration.ofMinutes(3);

  /** What a server logs that was away for too long: HBase gave its regions to others. */
  private static final String[] LOST_SESSION = {"YouAreDeadException", "SessionExpiredException"};

  private final Cluster cluster;
  private final int spared;
  private final CountDownLatch over;
  private final Outages outages;
  private final Timeline timeline;

  /**
   * @param spared how many of the servers, the first ones, live through it all
   */
  ServerFaults(Cluster cluster, int spared, CountDownLatch over, Timeline timeline) {
    this.cluster = cluster;
    this.spared = spared;
    this.over = over;
    this.outages = new Outages(over);
    this.timeline = timeline;
  }

  List<Fault> all() {
    List<Fault> all = new ArrayList<>();
    all.add(new Fault("kill -9", 4, this::kill));
    all.add(new Fault("suspend", 2, random -> suspend(random, SHORT)));
    all.add(new Fault("suspend long", 1, random -> suspend(random, BEYOND_A_SESSION)));
    if (PageOut.isPossible()) {
      all.add(new Fault("short memory", 2, this::shortenMemory));
    }
    return all;
  }

  private String kill(SplittableRandom random) throws IOException {
    RegionServer server = choose(random);
    return server.name() + ", " + outages.kill(server.daemon(), random, SHORT);
  }

  private String shortenMemory(SplittableRandom random) throws IOException {
    RegionServer server = choose(random);
    long pid = server.daemon().pid();
    long steps = random.nextLong(1, SHORTAGE.dividedBy(SHORTAGE_STEP));
    long bytes = 0;
    for (long i = 0; i < steps && !Pause.until(over, SHORTAGE_STEP); i++) {
      bytes += PageOut.of(pid);
    }
    return server.name() + ", lost " + bytes / steps + " bytes " + steps + " times";
  }

  private String suspend(SplittableRandom random, Duration most) throws IOException {
    RegionServer server = choose(random);
    return server.name() + ", " + outages.suspend(server.daemon(), random, most);
  }

  /** Returns one of the servers; all of them run then. */
  RegionServer choose(SplittableRandom random) throws IOException {
    restartDead();
    List<RegionServer> servers = cluster.servers();
    return servers.get(random.nextInt(spared, servers.size()));
  }

  /** Starts servers that ended by themselves, as one does that was suspended for too long. */
  void restartDead() throws IOException {
    for (RegionServer server : cluster.servers()) {
      Daemon daemon = server.daemon();
      if (!daemon.isAlive()) {
        String why = daemon.failure("ended by itself").getMessage();
        if (daemon.said(LOST_SESSION)) {
          timeline.tell("expelled", why);
        } else {
          timeline.ended(why);
        }
        server.daemon().start();
      }
    }
  }
}
