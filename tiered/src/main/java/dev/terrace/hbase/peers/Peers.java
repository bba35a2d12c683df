// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import dev.terrace.api.BlockKey;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.settings.WarmRate;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.AtomicLongMap;

/**
 * The other region servers of the cluster, whose caches have blocks that this server's regions
 * need, and to which it gives blocks in turn. Thread-safe.
 */
public final class Peers implements AutoCloseable {

  /** Maximum number of blocks to ask for at once. */
  public static final int MAX_BLOCKS = 1024;

  private final TieredCache<?> tiers;
  private final Supplier<Optional<HRegionServer>> server;
  private final Supplier<WarmRate> rate;
  private final RateLimitedLog log = new RateLimitedLog(Peers.class);
  private final AtomicLongMap<PeerFigure> stats = AtomicLongMap.create();
  private final BlockGiver giver;

  /** Null until this server is known. */
  private volatile PeerClient client;

  /**
   * Knows no server yet.
   *
   * @param server this server, once it is known
   * @param rate whether blocks are taken and given
   */
  public Peers(
      TieredCache<?> tiers, Supplier<Optional<HRegionServer>> server, Supplier<WarmRate> rate) {
    this.tiers = tiers;
    this.server = server;
    this.rate = rate;
    this.giver = new BlockGiver(tiers, stats, BlockGiver.BYTES_PER_SECOND);
  }

  /** Starts to take blocks, and registers the service that gives them. */
  public void serveIn(HRegionServer regionServer) {
    try {
      User self = User.create(UserGroupInformation.getLoginUser());
      client = new PeerClient(regionServer.getConfiguration(), self);
      PeerEndpoint.register(regionServer, request -> answer(regionServer, request));
    } catch (ReflectiveOperationException | IOException | RuntimeException e) {
      log.warn(
          "Cannot exchange blocks with other servers: regions that move are warmed from HBase's store",
          e);
    }
  }

  private ByteBuffer answer(HRegionServer self, byte[] bytes) throws IOException {
    PeerAccess access = PeerAccess.of(self.getConfiguration(), rate.get());
    try {
      access.require(
          RpcServer.getRequestUser().map(User::getUGI).orElse(null),
          UserGroupInformation.getLoginUser());
    } catch (AccessDeniedException e) {
      stats.addAndGet(PeerFigure.REQUESTS_DENIED, 1);
      throw e;
    }
    return giver.answer(
        BlockMessages.requested(bytes, tiers.files()),
        file -> access.isConfidential() || !file.isEncrypted(),
        hasRoom(self));
  }

  /** Whether a quarter of the handlers is free, and no call waits for one. */
  private static boolean hasRoom(HRegionServer self) {
    RpcScheduler calls = self.getRpcServer().getScheduler();
    int handlers =
        self.getConfiguration()
            .getInt(
                HConstants.REGION_SERVER_HANDLER_COUNT,
                HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    return calls.getGeneralQueueLength() == 0
        && 4 * calls.getActiveRpcHandlerCount() <= 3 * handlers;
  }

  /** The name of this server; empty if it is not known yet. */
  public String ownName() {
    return server.get().map(self -> self.getServerName().getServerName()).orElse("");
  }

  /** The block cache of this server. */
  public BlockCache ownCache() {
    return server.get().flatMap(HRegionServer::getBlockCache).orElseThrow();
  }

  /** Whether blocks may be taken from a server of this name. */
  public boolean mayAsk(String name) {
    Optional<HRegionServer> self = server.get();
    return !name.isEmpty()
        && self.isPresent()
        && !name.equals(ownName())
        && PeerAccess.of(self.get().getConfiguration(), rate.get()).isOn();
  }

  /**
   * Asks another server for blocks. Waits for a second at most.
   *
   * @return the bytes of those that it sent, with right checksums, by their index
   * @throws CallQueueTooBigException if it is busy
   * @throws IOException if it does not answer, or refuses
   */
  public Map<Integer, ByteBuffer> take(String name, List<BlockKey> wanted) throws IOException {
    try {
      byte[] answer = client.call(ServerName.valueOf(name), BlockMessages.request(wanted));
      Map<Integer, ByteBuffer> blocks = BlockMessages.blocks(answer, wanted);
      stats.addAndGet(PeerFigure.BLOCKS_LACKING, wanted.size() - blocks.size());
      return blocks;
    } catch (IOException | RuntimeException e) {
      boolean isBusy = e instanceof CallQueueTooBigException;
      boolean isDenied = e instanceof AccessDeniedException;
      PeerFigure refused = isDenied ? PeerFigure.CALLS_DENIED : PeerFigure.CALLS_FAILED;
      stats.addAndGet(isBusy ? PeerFigure.CALLS_BUSY : refused, 1);
      throw e;
    }
  }

  /**
   * Counts a block that was taken.
   *
   * @param bytes 0 if it failed a check
   */
  public void took(int bytes) {
    stats.addAndGet(bytes > 0 ? PeerFigure.BLOCKS_TAKEN : PeerFigure.BLOCKS_DAMAGED, 1);
    stats.addAndGet(PeerFigure.BYTES_TAKEN, bytes);
  }

  /** Adds the counters since the start. */
  public void addTo(Map<String, Long> figures) {
    for (PeerFigure figure : PeerFigure.values()) {
      figures.put(figure.figure(), stats.get(figure));
    }
  }

  /** Takes no more blocks. */
  @Override
  public void close() {
    PeerClient open = client;
    if (open != null) {
      open.close();
    }
  }
}
