// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.hbase.peers.Peers;
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

  /** A server, and the pieces to ask it for. */
  private static final class Peer {
    final Queue<Piece> pieces = new PriorityQueue<>(Piece.ORDER);
    int calls;

    /** Calls in a row. */
    int failures;

    /** Null unless so many failed. */
    Long silentSinceNanos;

    boolean isFree() {
      return calls < MAX_CALLS && !pieces.isEmpty();
    }
  }

  private final LongSupplier nanoClock;
  private final Queue<Piece> ofStore = new PriorityQueue<>(Piece.ORDER);
  private final Map<String, Peer> peers = new HashMap<>();

  WarmQueue(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Adds a piece.
   *
   * @param asksPeer whether to ask the server that had it
   */
  void add(Piece piece, boolean asksPeer) {
    Peer peer = asksPeer ? peers.computeIfAbsent(piece.server, server -> new Peer()) : null;
    (peer == null || isSilent(peer) ? ofStore : peer.pieces).add(piece);
  }

  private boolean isSilent(Peer peer) {
    return peer.silentSinceNanos != null
        && nanoClock.getAsLong() - peer.silentSinceNanos < SILENCE.toNanos();
  }

  /**
   * The next pieces to ask their server for; empty if there are none. Call {@link #asked} and
   * {@link #cached} afterwards.
   */
  List<Piece> nextBatch() {
    Peer peer =
        peers.values().stream()
            .filter(Peer::isFree)
            .min(Comparator.comparing(each -> each.pieces.peek(), Piece.ORDER))
            .orElse(null);
    List<Piece> batch = new ArrayList<>();
    if (peer == null) {
      return batch;
    }
    int blocks = 0;
    int bytes = 0;
    do {
      Piece piece = peer.pieces.remove();
      blocks += piece.blocks().size();
      bytes += piece.bytes();
      batch.add(piece);
    } while (!peer.pieces.isEmpty()
        && blocks + WarmPlan.MAX_BLOCKS <= Peers.MAX_BLOCKS
        && bytes + peer.pieces.peek().bytes() <= BATCH_BYTES);
    peer.calls++;
    return batch;
  }

  /** A call has ended. After several without an answer, the store is read for a while instead. */
  void asked(List<Piece> batch, boolean isAnswered) {
    Peer peer = peers.get(batch.get(0).server);
    if (peer != null) {
      peer.calls--;
      peer.failures = isAnswered ? 0 : peer.failures + 1;
      if (peer.failures >= MAX_FAILURES) {
        peer.silentSinceNanos = nanoClock.getAsLong();
        ofStore.addAll(peer.pieces);
        peer.pieces.clear();
      }
    }
  }

  /** Moves the pieces that a server was asked for to those to read from the store. */
  void cached(List<Piece> batch) {
    batch.stream().filter(piece -> piece.warming.isActive).forEach(ofStore::add);
  }

  /** The next piece to read from the store; null if there is none. */
  Piece next() {
    return ofStore.poll();
  }

  /** Whether a thread could take a piece. */
  boolean hasNext() {
    return !ofStore.isEmpty() || peers.values().stream().anyMatch(Peer::isFree);
  }

  /** Forgets the servers that are not asked for anything. Call from time to time. */
  void forgetIdle() {
    peers.values().removeIf(peer -> peer.calls == 0 && peer.pieces.isEmpty() && !isSilent(peer));
  }

  void remove(Warming warming) {
    ofStore.removeIf(piece -> piece.warming == warming);
    peers.values().forEach(peer -> peer.pieces.removeIf(piece -> piece.warming == warming));
  }

  void clear() {
    ofStore.clear();
    peers.values().forEach(peer -> peer.pieces.clear());
  }
}
