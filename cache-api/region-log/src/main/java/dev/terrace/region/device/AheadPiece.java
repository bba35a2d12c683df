// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.memory.ReadCopy;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A part of a sealed region that is read before somebody asks for it.
 *
 * <p>Any thread that holds the piece may call any method.
 */
public final class AheadPiece {

  /** A device that takes longer counts as slow. */
  private static final long LONGEST_WAIT_MILLIS = 20;

  private final int start;
  private final ReadCopy copy;
  private final CompletableFuture<Void> read;

  /**
   * A piece with one holder.
   *
   * @param start of the piece in its region
   * @param copy its bytes, once it is read; the piece owns them from now on
   * @param read completed by the read
   */
  public AheadPiece(int start, ReadCopy copy, CompletableFuture<Void> read) {
    this.start = start;
    this.copy = copy;
    this.read = read;
  }

  int start() {
    return start;
  }

  int end() {
    return start + copy.bytes().capacity();
  }

  /** Whether a part of a record lies here. */
  boolean overlaps(int position, int recordBytes) {
    return position < end() && position + recordBytes > start;
  }

  /** Adds a holder, by one that holds it. */
  void retain() {
    copy.retain();
  }

  /** Removes a holder. The last one frees the bytes. */
  void release() {
    copy.free();
  }

  /** Stops a read that has not begun. Threads that wait for it go on without it. */
  void cancel() {
    read.cancel(false);
  }

  /**
   * Copies the part of a record that lies here. Waits at most {@value #LONGEST_WAIT_MILLIS} ms for
   * the read.
   *
   * @param position of the record in the region
   * @param record receives the part at its place; from the first to the last byte of its capacity
   * @return false if the bytes are not here
   */
  boolean copyTo(int position, ByteBuffer record) {
    if (!isRead()) {
      return false;
    }
    int from = Math.max(start, position);
    int to = Math.min(end(), position + record.capacity());
    record.put(from - position, copy.bytes(), from - start, to - from);
    return true;
  }

  private boolean isRead() {
    try {
      read.get(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException | CancellationException e) {
      // The caller reads its block alone, and that read tells what is wrong.
      return false;
    }
  }
}
