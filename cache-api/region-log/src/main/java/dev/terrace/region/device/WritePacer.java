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
package dev.terrace.region.device;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Keeps what is written to all devices of a tier below a limit: a writer asks before each piece,
 * and waits until its turn. Any thread may ask.
 */
public final class WritePacer {

  /*
   * Pieces take their turns one after the other, each so long after the one before as it takes to
   * write it at the rate. In a window of ten seconds there are thus the bytes of ten seconds, and one
   * piece more, whose turn was just at its beginning: that piece is taken off the rate.
   */
  private static final int WINDOW_SECONDS = 10;

  private static final int PIECES_A_SECOND = 8;
  private static final int MOST_PIECE_BYTES = 1 << 20;
  private static final int PIECE_UNIT_BYTES = 4096;

  private final int pieceBytes;
  private final double nanosPerByte;
  private final LongSupplier nanoTime;
  private long nextTurn;

  /** Threads that wait for their turn; each is here before it looks whether the limit is lifted. */
  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

  private volatile boolean lifted;

  /**
   * A pacer.
   *
   * @param bytesPerSecond the limit, which holds over every window of ten seconds; at least 64 KB
   */
  public WritePacer(long bytesPerSecond, LongSupplier nanoTime) {
    long piece = Math.min(MOST_PIECE_BYTES, bytesPerSecond / PIECES_A_SECOND);
    this.pieceBytes = (int) Math.max(PIECE_UNIT_BYTES, piece / PIECE_UNIT_BYTES * PIECE_UNIT_BYTES);
    double rate = bytesPerSecond - (double) pieceBytes / WINDOW_SECONDS;
    this.nanosPerByte = TimeUnit.SECONDS.toNanos(1) / rate;
    this.nanoTime = nanoTime;
    this.nextTurn = nanoTime.getAsLong();
  }

  /** How much may be written at a time. */
  int pieceBytes() {
    return pieceBytes;
  }

  /** Takes a turn for a piece, and tells when it comes, in the time of the clock. */
  synchronized long turn(int bytes) {
    long turn = Math.max(nextTurn, nanoTime.getAsLong());
    nextTurn = turn + (long) Math.ceil(bytes * nanosPerByte);
    return turn;
  }

  /** Whether a turn has come. */
  boolean isDue(long turn) {
    return lifted || turn - nanoTime.getAsLong() <= 0;
  }

  /** Waits until a turn comes, or the limit is lifted. */
  void await(long turn) {
    waiting.add(Thread.currentThread());
    try {
      while (!isDue(turn)) {
        LockSupport.parkNanos(this, turn - nanoTime.getAsLong());
      }
    } finally {
      waiting.remove(Thread.currentThread());
    }
  }

  /** Ends the limit: a tier that closes writes the little that it still holds at once. */
  public void lift() {
    lifted = true;
    waiting.forEach(LockSupport::unpark);
  }
}
