// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import dev.terrace.api.CacheFile;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.peers.BlockMessages.Answer;
import dev.terrace.hbase.peers.BlockMessages.BlockAddress;
import dev.terrace.hbase.peers.BlockMessages.Found;
import dev.terrace.hbase.peers.BlockMessages.Request;
import dev.terrace.hbase.settings.WarmRate;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The other region servers of the cluster, whose caches have blocks that this server's regions
 * need, and to which it gives blocks in turn. Thread-safe.
 */
public final class Peers implements AutoCloseable {

  /** Maximum number of blocks to ask for at once. */
  public static final int MAX_BLOCKS = BlockMessages.MAX_BLOCKS;

  private final Supplier<Optional<HRegionServer>> server;
  private final Supplier<WarmRate> rate;
  private final Predicate<CacheFile> isPlain;
  private final RateLimitedLog log;
  private final PeerStats stats = new PeerStats();
  private final BlockGiver giver;

  /** Null until the first call, and after the end. Guarded by this. */
  private PeerClient client;

  private boolean ended;

  /**
   * Knows no server yet.
   *
   * @param isPlain whether a file is not encrypted
   * @param server this server, once it is known
   * @param rate whether blocks are taken and given
   */
  public Peers(
      TieredCache<?> tiers,
      Predicate<CacheFile> isPlain,
      Supplier<Optional<HRegionServer>> server,
      Supplier<WarmRate> rate,
      RateLimitedLog log) {
    this.isPlain = isPlain;
    this.server = server;
    this.rate = rate;
    this.log = log;
    this.giver = new BlockGiver(tiers, stats);
  }

  /** Registers the service that gives blocks. Without it this server only takes some. */
  public void serveIn(HRegionServer regionServer) {
    try {
      PeerEndpoint.register(regionServer, request -> answer(regionServer, request));
    } catch (ReflectiveOperationException | RuntimeException e) {
      log.warn("Cannot serve other servers: regions that leave are warmed from HBase's store", e);
    }
  }

  private byte[] answer(HRegionServer self, byte[] bytes) throws IOException {
    PeerAccess access = PeerAccess.of(self.getConfiguration());
    try {
      if (!isOn(access)) {
        throw new AccessDeniedException("cached blocks are not given to other servers");
      }
      access.require(
          RpcServer.getRequestUser().map(User::getUGI).orElse(null),
          UserGroupInformation.getLoginUser());
    } catch (AccessDeniedException e) {
      stats.add(PeerFigure.REQUESTS_DENIED, 1);
      throw e;
    }
    Request request;
    try {
      request = Request.decoded(bytes);
    } catch (IOException e) {
      throw new DoNotRetryIOException("request not understood: " + e.getMessage(), e);
    }
    if (!request.server().equals(self.getServerName().getServerName())) {
      throw new DoNotRetryIOException("this is " + self.getServerName());
    }
    Predicate<CacheFile> mayLeave = file -> access.isConfidential() || isPlain.test(file);
    return giver.answer(request, mayLeave, hasRoom(self));
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

  private boolean isOn(PeerAccess access) {
    WarmRate now = rate.get();
    return now.isOn() && (access.isSecure() || now.trustsPeers());
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
        && isOn(PeerAccess.of(self.get().getConfiguration()));
  }

  /**
   * A block to take.
   *
   * @param fileBytes the size of the file as this server has it open
   * @param mayBePacked whether the file is compressed or encrypted
   */
  public record Wanted(String file, long offset, long fileBytes, boolean mayBePacked) {}

  /**
   * The answer of another server.
   *
   * @param isBusy whether to ask again later
   * @param blocks those that it sent, without the damaged ones, by their index in the request
   */
  public record Taken(boolean isBusy, Map<Integer, HFileBlock> blocks) {}

  /**
   * Asks another server for blocks. Waits for a second at most.
   *
   * @throws IOException if it does not answer, or refuses
   */
  public Taken take(String name, List<Wanted> wanted) throws IOException {
    List<BlockAddress> keys =
        wanted.stream().map(each -> new BlockAddress(each.file, each.offset)).toList();
    Answer answer;
    try {
      byte[] bytes = client().call(ServerName.valueOf(name), new Request(name, keys).encoded());
      answer = Answer.decoded(bytes, keys);
    } catch (AccessDeniedException e) {
      stats.add(PeerFigure.CALLS_DENIED, 1);
      throw e;
    } catch (IOException | RuntimeException e) {
      stats.add(PeerFigure.CALLS_FAILED, 1);
      throw new IOException("no blocks from server=" + name, e);
    }
    if (answer.isBusy()) {
      stats.add(PeerFigure.CALLS_BUSY, 1);
      return new Taken(true, Map.of());
    }
    Map<Integer, HFileBlock> blocks = new HashMap<>();
    for (Found found : answer.found()) {
      Wanted asked = wanted.get(found.index());
      BlockCheck.decode(found.bytes(), asked.offset, asked.fileBytes, asked.mayBePacked)
          .ifPresent(block -> blocks.put(found.index(), block));
    }
    int damaged = answer.damaged() + answer.found().size() - blocks.size();
    stats.add(PeerFigure.BLOCKS_DAMAGED, damaged);
    stats.add(PeerFigure.BLOCKS_LACKING, wanted.size() - blocks.size() - damaged);
    return new Taken(false, blocks);
  }

  /** Counts a block that was taken and cached. */
  public void cached(long bytes) {
    stats.add(PeerFigure.BLOCKS_TAKEN, 1);
    stats.add(PeerFigure.BYTES_TAKEN, bytes);
  }

  private synchronized PeerClient client() throws IOException {
    if (ended) {
      throw new IOException("this server ends");
    }
    if (client == null) {
      Configuration conf = server.get().orElseThrow().getConfiguration();
      // Not the user of this thread, which a call of a client may have started.
      client = new PeerClient(conf, User.create(UserGroupInformation.getLoginUser()));
    }
    return client;
  }

  /** Adds the counters since the start. */
  public void addTo(Map<String, Long> figures) {
    stats.addTo(figures);
  }

  /** Takes no more blocks. */
  @Override
  public synchronized void close() {
    ended = true;
    if (client != null) {
      client.close();
      client = null;
    }
  }
}
