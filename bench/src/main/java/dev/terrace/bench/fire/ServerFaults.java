// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.api.Trouble;
import dev.terrace.bench.fire.Cluster.RegionServer;
import dev.terrace.bench.fire.FaultLane.Fault;
import dev.terrace.bench.fire.FaultLane.Outages;
import dev.terrace.bench.fire.FaultLane.Pause;
import dev.terrace.bench.server.Daemon;
import dev.terrace.bench.server.Hdfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/** What happens to processes of region servers. After each fault all of them run, or start. */
final class ServerFaults {

  private static final Duration SHORT = Duration.ofSeconds(5);

  /** As long as a virtual machine that is moved, or a long garbage collection. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final Duration SECOND_LIMIT = Duration.ofMinutes(3);
  private static final Duration SERVES_LIMIT = Duration.ofMinutes(6);

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
    all.add(new Fault("pause", 2, this::pause));
    if (cluster.isTerrace()) {
      all.add(new Fault("second server", 1, this::startSecond));
    }
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

  /** A pause of the process is no stall of its devices. */
  private String pause(SplittableRandom random) throws IOException {
    RegionServer server = choose(random);
    awaitServing(server);
    long before = stalls(server);
    server.daemon().suspend();
    try {
      Pause.of(PAUSE);
    } finally {
      server.daemon().resume();
    }
    // Reads and looks at the clock that were under way end.
    boolean unused = Pause.until(over, PAUSE);
    long stalls = stalls(server) - before;
    if (stalls > 0) {
      timeline.found("pause", server.name() + " took it for " + stalls + " stalls of its devices");
    }
    return server.name();
  }

  private static long stalls(RegionServer server) throws IOException {
    return server.tiers().stream().mapToLong(tier -> tier.troubles(Trouble.STALL)).sum();
  }

  private static void awaitServing(RegionServer server) throws IOException {
    server.daemon().await("it served", SERVES_LIMIT, () -> server.jmx().answers());
  }

  /** A second server on the paths of one that runs, which has lost its lock files, or not. */
  private String startSecond(SplittableRandom random) throws IOException {
    RegionServer server = choose(random);
    awaitServing(server);
    boolean isUnlocked = random.nextBoolean();
    if (isUnlocked) {
      for (Path cache : server.caches()) {
        Files.deleteIfExists(cache.resolve("terrace").resolve("lock"));
      }
    }
    Daemon second = cluster.second(server).start();
    boolean isRefused;
    try {
      isRefused = second.ends(SECOND_LIMIT) && second.said("is in use by another ");
    } finally {
      second.kill9();
    }
    if (!isRefused) {
      timeline.found("second server", second.failure("was not refused").getMessage());
    }
    if (isUnlocked) {
      server.daemon().kill9();
      server.daemon().start();
    }
    return server.name() + (isUnlocked ? ", without its locks" : "");
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
          timeline.found("ended", why);
        }
        server.daemon().start();
      }
    }
  }

  /** What happens to the processes that region servers need: after each fault all of them work. */
  static final class ServiceFaults {

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
}
