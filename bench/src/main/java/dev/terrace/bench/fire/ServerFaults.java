// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.api.Trouble;
import dev.terrace.bench.fire.Cluster.RegionServer;
import dev.terrace.bench.fire.FaultLane.Fault;
import dev.terrace.bench.server.Daemon;
import dev.terrace.bench.server.Hdfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.io.function.IOConsumer;

/**
 * What happens to processes, and to the disks of caches. After each fault all processes run, or
 * start, and the disk is well again; the server beside it went on, which is looked at, and may have
 * been killed and started meanwhile or afterwards.
 *
 * @param spared how many of the servers, the first ones, live through it all
 */
record ServerFaults(Cluster cluster, int spared, Timeline timeline) {

  private static final Duration LEAST = Duration.ofMillis(100);
  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final Duration MOST_OF_SERVICES = Duration.ofSeconds(10);
  private static final Duration MOST_OF_DISKS = Duration.ofSeconds(15);

  /** As long as a virtual machine that is moved, or a long garbage collection. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final Duration SECOND_LIMIT = Duration.ofMinutes(3);
  private static final Duration SERVES_LIMIT = Duration.ofMinutes(6);

  /**
   * Others take the regions of a server that was away for HBase's 90 s; it ends when it wakes up.
   */
  private static final Duration BEYOND_A_SESSION = Duration.ofMinutes(3);

  /** What a server logs that was away for too long: HBase gave its regions to others. */
  private static final String[] LOST_SESSION = {"YouAreDeadException", "SessionExpiredException"};

  /**
   * Returns what happens to region servers, and to disks if their caches have some of their own.
   */
  List<Fault> onServers() {
    List<Fault> all = new ArrayList<>();
    all.add(new Fault("kill -9", 4, random -> kill(choose(random).daemon(), random, SHORT)));
    all.add(new Fault("pause", 2, this::pause));
    if (cluster.isTerrace()) {
      all.add(new Fault("second server", 1, this::startSecond));
    }
    all.add(new Fault("suspend", 2, random -> suspend(choose(random).daemon(), random, SHORT)));
    all.add(
        new Fault(
            "suspend long",
            1,
            random -> suspend(choose(random).daemon(), random, BEYOND_A_SESSION)));
    if (!cluster.disks.isEmpty()) {
      all.add(new Fault("disk full", 1, random -> strike(random, LoopDisk::fill, true)));
      all.add(new Fault("disk fails", 2, random -> strike(random, failing(random), true)));
      all.add(new Fault("disk hangs", 2, random -> strike(random, LoopDisk::freeze, false)));
      all.add(new Fault("disk vanishes", 1, random -> strike(random, LoopDisk::takeAway, true)));
      if (LoopDisk.canHoldReads()) {
        all.add(new Fault("reads hang", 2, random -> strike(random, LoopDisk::holdReads, false)));
      }
    }
    return all;
  }

  /** Returns what happens to the processes that region servers need. */
  List<Fault> onServices() {
    Hdfs hdfs = cluster.hdfs;
    return List.of(
        new Fault("master lost", 2, random -> killService(cluster.master(), random)),
        new Fault("ZooKeeper lost", 2, random -> killService(cluster.zooKeeper(), random)),
        new Fault("ZooKeeper hangs", 1, random -> suspendService(cluster.zooKeeper(), random)),
        new Fault("DataNode lost", 3, random -> killService(dataNode(random), random)),
        new Fault("DataNode hangs", 2, random -> suspendService(dataNode(random), random)),
        new Fault("NameNode lost", 1, random -> killService(hdfs.nameNode(), random)),
        new Fault("NameNode hangs", 1, random -> suspendService(hdfs.nameNode(), random)));
  }

  private Daemon dataNode(SplittableRandom random) throws IOException {
    return Fault.one(random, cluster.hdfs.dataNodes());
  }

  private String killService(Daemon daemon, SplittableRandom random) throws IOException {
    String back = kill(daemon, random, MOST_OF_SERVICES);
    // Two that are away at a time are more than HDFS with two DataNodes survives.
    cluster.hdfs.awaitAtWork();
    return back;
  }

  private String suspendService(Daemon daemon, SplittableRandom random) throws IOException {
    return suspend(daemon, random, MOST_OF_SERVICES);
  }

  private String kill(Daemon daemon, SplittableRandom random, Duration most) throws IOException {
    daemon.kill();
    try {
      return daemon.name() + pass(random, most);
    } finally {
      daemon.start();
    }
  }

  private String suspend(Daemon daemon, SplittableRandom random, Duration most) throws IOException {
    daemon.suspend();
    try {
      return daemon.name() + pass(random, most);
    } finally {
      daemon.resume();
    }
  }

  /** Waits while something is away, less if the fire is over; returns how long that was to be. */
  private String pass(SplittableRandom random, Duration most) throws IOException {
    Duration time = FaultLane.time(random, LEAST, most);
    boolean unused = timeline.pause(time);
    return ", back after " + time.toMillis() + " ms";
  }

  /** A pause of the process is no stall of its devices. */
  private String pause(SplittableRandom random) throws IOException {
    RegionServer server = choose(random);
    awaitServing(server);
    long before = stalls(server);
    server.daemon().suspend();
    try {
      Timeline.sleep(PAUSE);
    } finally {
      server.daemon().resume();
    }
    // Reads and looks at the clock that were under way end.
    boolean unused = timeline.pause(PAUSE);
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
      isRefused = second.awaitEnd(SECOND_LIMIT) && second.said("is in use by another ");
    } finally {
      second.kill();
    }
    if (!isRefused) {
      timeline.found("second server", second.failure("was not refused").getMessage());
    }
    if (isUnlocked) {
      restart(server);
    }
    return server.name() + (isUnlocked ? ", without its locks" : "");
  }

  private static void restart(RegionServer server) throws IOException {
    server.daemon().kill();
    server.daemon().start();
  }

  /** Somewhere from the end of the file system's own data to the end of the disk. */
  private static IOConsumer<LoopDisk> failing(SplittableRandom random) {
    double share = random.nextDouble(0.2, 1);
    return disk -> disk.failBeyond(share);
  }

  /**
   * @param damage {@link LoopDisk#mend} ends it
   * @param startsBroken whether a server starts while the disk is so; with a disk that hangs it may
   *     not
   */
  private String strike(SplittableRandom random, IOConsumer<LoopDisk> damage, boolean startsBroken)
      throws IOException {
    RegionServer server = choose(random);
    LoopDisk disk = Fault.one(random, cluster.disks.of(server.caches()));
    boolean restartsBroken = startsBroken && random.nextBoolean();
    // A server that started without its disk goes back to it.
    boolean restartsAfter = restartsBroken || random.nextBoolean();
    String back;
    try {
      damage.accept(disk);
      if (restartsBroken) {
        restart(server);
      }
      back = pass(random, MOST_OF_DISKS);
      if (server.standsStill()) {
        timeline.found("stands still", server.name() + " beside " + disk);
      }
    } finally {
      disk.mend();
    }
    if (restartsAfter) {
      restart(server);
    }
    String restarted = ", kill -9 and start";
    return disk + (restartsBroken ? restarted : "") + back + (restartsAfter ? restarted : "");
  }

  /** Returns one of the servers; all of them run then. */
  private RegionServer choose(SplittableRandom random) throws IOException {
    restartDead();
    List<RegionServer> servers = cluster.servers();
    return Fault.one(random, servers.subList(spared, servers.size()));
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
        daemon.start();
      }
    }
  }
}
