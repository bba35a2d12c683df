// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.format.RegionLife;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A scan of one region: the place that it has reached, and the pieces that are read ahead, side by
 * side.
 *
 * <p>Any thread may call any method. A thread waits for a read without holding the monitor.
 */
public final class AheadScan {

  /** Begins reads of the scan's region. */
  @FunctionalInterface
  public interface Source {

    /**
     * Begins to read a part of the region. It starts where the device can start, at a position or
     * before it.
     *
     * @param mostBytes from the position on
     * @return the piece, with one holder; null if no records follow, or the device has no place
     */
    AheadPiece begin(int position, int mostBytes);
  }

  /** The longest piece. Its read takes a disk much longer than the way there and back. */
  static final int PIECE_BYTES = 128 << 10;

  /** How far ahead of a scan the device reads at most: as many pieces as a disk reads at a time. */
  static final int DISTANCE_BYTES = 6 * PIECE_BYTES;

  /** Longer records are read alone, as their reads keep a disk busy. */
  static final int MOST_RECORD_BYTES = DISTANCE_BYTES / 2;

  /** The most that a scan holds: a piece that ends in its record, the record, and what follows. */
  static final int MOST_BYTES = PIECE_BYTES + MOST_RECORD_BYTES + DISTANCE_BYTES;

  /** Bytes that a scan may skip: blocks of other files, and such that are higher up. */
  private static final int GAP_BYTES = 128 << 10;

  private final int region;
  private final RegionLife life;
  private final int first;
  private final Deque<AheadPiece> pieces = new ArrayDeque<>();
  private long readBytes;

  /** Changed under the monitor; read without it to find the scan of a record. */
  private volatile int start;

  private volatile int end;
  private volatile boolean over;
  private volatile long usedNanos;

  /**
   * A scan that is about to read a record.
   *
   * @param region the region's number in the tier
   * @param life the region's present life
   * @param position of the record
   * @param beforeBytes bytes of the records before it, about: they count as read by the scan
   */
  AheadScan(int region, RegionLife life, int position, long beforeBytes, long nowNanos) {
    this.region = region;
    this.life = life;
    this.first = position;
    this.start = position;
    this.end = position;
    this.readBytes = beforeBytes;
    this.usedNanos = nowNanos;
  }

  /** Whether this scan has come to a record. */
  boolean isAt(int regionNumber, RegionLife regionLife, int position) {
    return region == regionNumber
        && position >= start
        && position - end <= GAP_BYTES
        && !over
        && life.equals(regionLife);
  }

  void used(long nowNanos) {
    usedNanos = nowNanos;
  }

  boolean isOver() {
    return over;
  }

  boolean isUnusedFor(long nanos, long nowNanos) {
    return nowNanos - usedNanos >= nanos;
  }

  /**
   * Copies a record that was read ahead, and has what follows it read.
   *
   * @param position of the record in the region
   * @param record a buffer of its size
   * @return false if it was not read ahead, or that failed
   */
  public boolean read(int position, ByteBuffer record, Source source) {
    List<AheadPiece> taken;
    synchronized (this) {
      advance(position, record.capacity(), source);
      taken = take(position, record.capacity());
    }
    boolean isWhole = !taken.isEmpty();
    for (AheadPiece piece : taken) {
      isWhole = isWhole && piece.copyTo(position, record);
      piece.release();
    }
    return isWhole;
  }

  /** The pieces in which a record lies, to be released; none if a part of it is missing. */
  private List<AheadPiece> take(int position, int recordBytes) {
    if (position < start || position + recordBytes > end) {
      return List.of();
    }
    List<AheadPiece> taken = new ArrayList<>(2);
    for (AheadPiece piece : pieces) {
      if (piece.overlaps(position, recordBytes)) {
        piece.retain();
        taken.add(piece);
      }
    }
    return taken;
  }

  private void advance(int position, int recordBytes, Source source) {
    while (!pieces.isEmpty() && pieces.getFirst().end() <= position) {
      free(pieces.removeFirst());
    }
    readBytes += recordBytes;
    if (isScattered(position)) {
      end();
    }
    int at = position + recordBytes;
    start = pieces.isEmpty() ? at : pieces.getFirst().start();
    end = pieces.isEmpty() ? at : pieces.getLast().end();
    int distanceBytes = (int) Math.min(DISTANCE_BYTES, readBytes);
    int pieceBytes = Math.min(PIECE_BYTES, distanceBytes / 2);
    boolean goesOn = !over;
    while (goesOn && end - at <= distanceBytes - pieceBytes) {
      goesOn = begin(pieceBytes, source);
    }
  }

  /** Whether the scan skips more than it reads. */
  private boolean isScattered(int position) {
    return position - first > DISTANCE_BYTES && 2 * readBytes < position - first;
  }

  private boolean begin(int mostBytes, Source source) {
    AheadPiece piece = source.begin(end, mostBytes);
    if (piece == null) {
      return false;
    }
    pieces.addLast(piece);
    start = pieces.getFirst().start();
    end = piece.end();
    return true;
  }

  private static void free(AheadPiece piece) {
    piece.cancel();
    piece.release();
  }

  /** Frees all pieces, and reads nothing ahead from now on. */
  synchronized void end() {
    over = true;
    pieces.forEach(AheadScan::free);
    pieces.clear();
  }
}
