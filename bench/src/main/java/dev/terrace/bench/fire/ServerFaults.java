// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.api.TierFault;
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
 * Faults of processes, and of the disks of caches. After each fault all processes run or start, and
 * the disk works again. The fault checks that the server did not hang meanwhile; the server may
 * have been killed and restarted during the fault or after it.
 *
 * @param spared how many of the servers, the first ones, are never struck
 */
record ServerFaults(Cluster cluster, int spared, Timeline timeline) {

  private static final Duration LEAST = Duration.ofMillis(100);
  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final Duration MAX_FOR_SERVICES = Duration.ofSeconds(10);
  private static final Duration MAX_FOR_DISKS = Duration.ofSeconds(15);

  /** As long as the move of a virtual machine, or a long garbage collection. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final Duration SECOND_LIMIT = Duration.ofMinutes(3);
  private static final Duration SERVES_LIMIT = Duration.ofMinutes(6);

  /** Beyond HBase's 90 s other servers take the regions; the server ends when it wakes up. */
  private static final Duration BEYOND_A_SESSION = Duration.ofMinutes(3);

  /** Logged by a server that was away too long: HBase has reassigned its regions. */
  private static final String[] LOST_SESSION = {"YouAreDeadException", "SessionExpiredException"};

  /** Returns the faults of region servers, and of disks if the caches have disks of their own. */
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

  /** Returns the faults of the processes that region servers need. */
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
    String back = kill(daemon, random, MAX_FOR_SERVICES);
    // HDFS with two DataNodes does not survive two failures at a time.
    cluster.hdfs.awaitAtWork();
    return back;
  }

  private String suspendService(Daemon daemon, SplittableRandom random) throws IOException {
    return suspend(daemon, random, MAX_FOR_SERVICES);
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

  /** Waits while something is down, or until the fire is over; returns how long that was to be. */
  private String pass(SplittableRandom random, Duration most) throws IOException {
    Duration time = FaultLane.time(random, LEAST, most);
    boolean unused = timeline.pause(time);
    return ", back after " + time.toMillis() + " ms";
  }

  /** Pauses a process; it must not take the pause for a stall of its devices. */
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
    // Lets reads and clock checks that were in flight end.
    boolean unused = timeline.pause(PAUSE);
    long stalls = stalls(server) - before;
    if (stalls > 0) {
      timeline.found("pause", server.name() + " took it for " + stalls + " stalls of its devices");
    }
    return server.name();
  }

  private static long stalls(RegionServer server) throws IOException {
    return server.tiers().stream().mapToLong(tier -> tier.faults(TierFault.STALL)).sum();
  }

  private static void awaitServing(RegionServer server) throws IOException {
    server.daemon().await("it served", SERVES_LIMIT, () -> server.jmx().answers());
  }

  /** Starts a second server on a running one's paths, whose lock files may be gone. */
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

  /** Fails from a random place on, behind the file system's own data. */
  private static IOConsumer<LoopDisk> failing(SplittableRandom random) {
    double share = random.nextDouble(0.2, 1);
    return disk -> disk.failBeyond(share);
  }

  /**
   * @param damage {@link LoopDisk#mend} ends it
   * @param startsBroken whether a server can start on the damaged disk; on one that hangs it may
   *     not
   */
  private String strike(SplittableRandom random, IOConsumer<LoopDisk> damage, boolean startsBroken)
      throws IOException {
    RegionServer server = choose(random);
    LoopDisk disk = Fault.one(random, cluster.disks.of(server.caches()));
    boolean restartsBroken = startsBroken && random.nextBoolean();
    // A server that started without its disk is restarted with it.
    boolean restartsAfter = restartsBroken || random.nextBoolean();
    String back;
    try {
      damage.accept(disk);
      if (restartsBroken) {
        restart(server);
      }
      back = pass(random, MAX_FOR_DISKS);
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

  /** Returns one of the servers, once all of them run. */
  private RegionServer choose(SplittableRandom random) throws IOException {
    restartDead();
    List<RegionServer> servers = cluster.servers();
    return Fault.one(random, servers.subList(spared, servers.size()));
  }

  /** Restarts servers that ended by themselves, such as after too long a suspension. */
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
