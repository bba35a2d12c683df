// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Limits the write rate of a tier's devices together. A writer takes a turn for each piece, and
 * waits for it. Thread-safe.
 */
public final class WritePacer {

  /*
   * Turns are spaced by the time that a piece takes at the rate. So a window of ten seconds may
   * have the bytes of ten seconds and of one more piece, whose turn is right at the start. The rate
   * is lowered by that piece.
   */
  private static final int WINDOW_SECONDS = 10;

  private static final int PIECES_PER_SECOND = 8;
  private static final int MAX_PIECE_BYTES = 1 << 20;
  private static final int PIECE_UNIT_BYTES = 4096;

  private final int pieceBytes;
  private final double nanosPerByte;
  private final LongSupplier nanoTime;
  private long nextTurn;

  /** Threads that wait for a turn. Each is added before it checks whether the limit is lifted. */
  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

  private volatile boolean lifted;

  public WritePacer(long bytesPerSecond, LongSupplier nanoTime) {
    long piece = Math.min(MAX_PIECE_BYTES, bytesPerSecond / PIECES_PER_SECOND);
    this.pieceBytes = (int) Math.max(PIECE_UNIT_BYTES, piece / PIECE_UNIT_BYTES * PIECE_UNIT_BYTES);
    double rate = bytesPerSecond - (double) pieceBytes / WINDOW_SECONDS;
    this.nanosPerByte = TimeUnit.SECONDS.toNanos(1) / rate;
    this.nanoTime = nanoTime;
    this.nextTurn = nanoTime.getAsLong();
  }

  /** Largest number of bytes in one piece. */
  int pieceBytes() {
    return pieceBytes;
  }

  /** Takes a turn for a piece. Returns its time by the clock. */
  synchronized long turn(int bytes) {
    long turn = Math.max(nextTurn, nanoTime.getAsLong());
    nextTurn = turn + (long) Math.ceil(bytes * nanosPerByte);
    return turn;
  }

  boolean isDue(long turn) {
    return lifted || turn - nanoTime.getAsLong() <= 0;
  }

  /** Waits until a turn comes, or the limit is lifted. Keeps the thread's interrupted status. */
  void await(long turn) {
    boolean interrupted = false;
    waiting.add(Thread.currentThread());
    try {
      while (!isDue(turn)) {
        LockSupport.parkNanos(this, turn - nanoTime.getAsLong());
        // An interrupted thread does not park.
        interrupted |= Thread.interrupted();
      }
    } finally {
      waiting.remove(Thread.currentThread());
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends the limit, so that a closing tier writes the rest at once. */
  public void lift() {
    lifted = true;
    waiting.forEach(LockSupport::unpark);
  }
}
