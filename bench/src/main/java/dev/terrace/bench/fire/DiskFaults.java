// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.Cluster.RegionServer;
import dev.terrace.bench.fire.FaultLane.Fault;
import dev.terrace.bench.fire.FaultLane.Outages;
import dev.terrace.bench.fire.disk.LoopDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * What happens to the disks of caches. After each fault the disk is well again; the server beside
 * it went on, which is looked at, and may have been killed and started meanwhile or afterwards.
 */
final class DiskFaults {

  private static final Duration MOST = Duration.ofSeconds(15);

  private final Cluster cluster;
  private final ServerFaults servers;
  private final Outages outages;
  private final Timeline timeline;

  DiskFaults(Cluster cluster, ServerFaults servers, CountDownLatch over, Timeline timeline) {
    this.cluster = cluster;
    this.servers = servers;
    this.outages = new Outages(over);
    this.timeline = timeline;
  }

  /** Returns the faults; none if caches have no disks of their own. */
  List<Fault> all() {
    if (cluster.disks().isEmpty()) {
      return List.of();
    }
    List<Fault> faults = new ArrayList<>();
    faults.add(new Fault("disk full", 1, random -> strike(random, LoopDisk::fill, true)));
    faults.add(new Fault("disk fails", 2, random -> strike(random, failing(random), true)));
    faults.add(new Fault("disk hangs", 2, random -> strike(random, LoopDisk::freeze, false)));
    faults.add(new Fault("disk vanishes", 1, random -> strike(random, LoopDisk::takeAway, true)));
    if (LoopDisk.canHoldReads()) {
      faults.add(new Fault("reads hang", 2, random -> strike(random, LoopDisk::holdReads, false)));
    }
    return faults;
  }

  /** Somewhere from the end of the file system's own data to the end of the disk. */
  private static Damage failing(SplittableRandom random) {
    double share = random.nextDouble(0.2, 1);
    return disk -> disk.failBeyond(share);
  }

  /**
   * @param startsBroken whether a server starts while the disk is so; with a disk that hangs it may
   *     not
   */
  private String strike(SplittableRandom random, Damage damage, boolean startsBroken)
      throws IOException {
    RegionServer server = servers.choose(random);
    List<LoopDisk> disks = cluster.disks().of(server.caches());
    LoopDisk disk = disks.get(random.nextInt(disks.size()));
    boolean restartsBroken = startsBroken && random.nextBoolean();
    // A server that started without its disk goes back to it.
    boolean restartsAfter = restartsBroken || random.nextBoolean();
    String back;
    try {
      damage.to(disk);
      if (restartsBroken) {
        restart(server);
      }
      back = outages.pass(random, MOST);
      if (server.standsStill()) {
        timeline.found("stands still", server.name() + " beside " + disk);
      }
    } finally {
      disk.mend();
    }
    if (restartsAfter) {
      restart(server);
    }
    return disk
        + (restartsBroken ? ", kill -9 and start" : "")
        + ", "
        + back
        + (restartsAfter ? ", kill -9 and start" : "");
  }

  private static void restart(RegionServer server) throws IOException {
    server.daemon().kill9();
    server.daemon().start();
  }

  /** One way to break a disk; {@link LoopDisk#mend} ends it. */
  @FunctionalInterface
  private interface Damage {

    void to(LoopDisk disk) throws IOException;
  }
}
