// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.hbase.peers.Peers;
import dev.terrace.hbase.warmup.WarmPlan.Piece;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.LongSupplier;

/**
 * The pieces of all regions that no thread has taken: those to ask another server for, and those to
 * read from the store. The most urgent comes first. Guarded by its warmer.
 */
final class WarmQueue {

  /** Maximum number of concurrent calls of a server. */
  static final int MAX_CALLS = 2;

  /** Approximate size of the blocks to ask for at once. */
  static final int BATCH_BYTES = 4 << 20;

  /** Calls in a row that fail before a server is left alone: its first ones may be slow. */
  static final int MAX_FAILURES = 3;

  /** A server whose calls fail is not asked for this long. */
  static final Duration SILENCE = Duration.ofMinutes(1);

  /**
   * A piece of a region.
   *
   * @param done the outcomes of the blocks, by their offsets, that need no read of the store
   */
  record Step(Warming warming, Piece piece, Map<Long, WarmOutcome> done) {

    private static final Comparator<Step> ORDER =
        Comparator.<Step>comparingInt(step -> step.piece.rank())
            .thenComparing(step -> step.piece.name())
            .thenComparingLong(step -> step.piece.offset());

    private int bytes() {
      return piece.blocks().stream().mapToInt(HotList.Block::sizeBytes).sum();
    }
  }

  /** Pieces to ask a server for. */
  record Batch(String server, List<Step> steps) {}

  /** A server, and the pieces to ask it for. */
  private static final class Peer {
    final String server;
    final Queue<Step> steps = new PriorityQueue<>(Step.ORDER);
    int calls;

    /** Calls in a row. */
    int failures;

    /** Null unless so many failed. */
    Long silentSinceNanos;

    Peer(String server) {
      this.server = server;
    }

    boolean isFree() {
      return calls < MAX_CALLS && !steps.isEmpty();
    }
  }

  private final LongSupplier nanoClock;
  private final Queue<Step> ofStore = new PriorityQueue<>(Step.ORDER);
  private final Map<String, Peer> peers = new HashMap<>();

  WarmQueue(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Adds a piece.
   *
   * @param asksPeer whether to ask the server that had it
   */
  void add(Warming warming, Piece piece, boolean asksPeer) {
    Step step = new Step(warming, piece, new HashMap<>());
    Peer peer = asksPeer ? peers.computeIfAbsent(piece.server(), Peer::new) : null;
    (peer == null || isSilent(peer) ? ofStore : peer.steps).add(step);
  }

  private boolean isSilent(Peer peer) {
    return peer.silentSinceNanos != null
        && nanoClock.getAsLong() - peer.silentSinceNanos < SILENCE.toNanos();
  }

  /**
   * The next pieces to ask a server for. Call {@link #asked} and {@link #cached} afterwards. Null
   * if there are none.
   */
  Batch nextBatch() {
    Peer peer =
        peers.values().stream()
            .filter(Peer::isFree)
            .min(Comparator.comparing(each -> each.steps.peek(), Step.ORDER))
            .orElse(null);
    if (peer == null) {
      return null;
    }
    List<Step> steps = new ArrayList<>();
    int blocks = 0;
    int bytes = 0;
    do {
      Step step = peer.steps.remove();
      blocks += step.piece.blocks().size();
      bytes += step.bytes();
      steps.add(step);
    } while (!peer.steps.isEmpty()
        && blocks + WarmPlan.MAX_BLOCKS <= Peers.MAX_BLOCKS
        && bytes + peer.steps.peek().bytes() <= BATCH_BYTES);
    peer.calls++;
    return new Batch(peer.server, steps);
  }

  /** A call has ended. After several without an answer, the store is read for a while instead. */
  void asked(Batch batch, boolean isAnswered) {
    Peer peer = peers.get(batch.server);
    if (peer != null) {
      peer.calls--;
      peer.failures = isAnswered ? 0 : peer.failures + 1;
      if (peer.failures >= MAX_FAILURES) {
        peer.silentSinceNanos = nanoClock.getAsLong();
        ofStore.addAll(peer.steps);
        peer.steps.clear();
      }
    }
  }

  /** Moves the pieces that a server was asked for to those to read from the store. */
  void cached(Batch batch) {
    batch.steps.stream().filter(step -> step.warming.isActive).forEach(ofStore::add);
  }

  /** The next piece to read from the store; null if there is none. */
  Step next() {
    return ofStore.poll();
  }

  /** Whether a thread could take a piece. */
  boolean hasNext() {
    return !ofStore.isEmpty() || peers.values().stream().anyMatch(Peer::isFree);
  }

  /** Forgets the servers that are not asked for anything. Call from time to time. */
  void forgetIdle() {
    peers.values().removeIf(peer -> peer.calls == 0 && peer.steps.isEmpty() && !isSilent(peer));
  }

  void remove(Warming warming) {
    ofStore.removeIf(step -> step.warming == warming);
    peers.values().forEach(peer -> peer.steps.removeIf(step -> step.warming == warming));
  }

  void clear() {
    ofStore.clear();
    peers.values().forEach(peer -> peer.steps.clear());
  }
}
