// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.trace;

import dev.terrace.api.BlockKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One recording. Accesses go into a queue, which one thread empties into the file. A full queue
 * drops accesses, and counts them: nobody waits. Thread-safe.
 */
final class Recording {

  private static final Logger LOG = LoggerFactory.getLogger(Recording.class);

  /** Some 5 MB of heap. Threads that add at the same time may exceed it by one entry each. */
  private static final int MOST_QUEUED = 1 << 16;

  /** An access in the queue. */
  record Seen(TracedAccess.Kind kind, String file, long offset, int sizeBytes, int type) {}

  private final Queue<Seen> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final LongAdder reads = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final Path path;
  private final int oneIn;
  private final long sampledBelow;
  private final long mostNanos;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final TraceWriter writer;
  private long written;
  private long bytes;

  /** Why the recording ended; null as long as it goes on. */
  private String end;

  /**
   * A recording.
   *
   * @param writer the file; this closes it
   */
  Recording(Path path, TraceOptions options, TraceWriter writer, LongSupplier nanoClock) {
    this.path = path;
    this.oneIn = options.oneIn();
    this.sampledBelow = (1L << Integer.SIZE) / oneIn;
    this.mostNanos = options.mostTime().toNanos();
    this.writer = writer;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
  }

  /** Records an access if its block is in the sample. Never waits. */
  void add(TracedAccess.Kind kind, String file, long offset, int sizeBytes, int type) {
    if (kind == TracedAccess.Kind.READ) {
      reads.increment();
    }
    // The upper half, as policies take samples by the lower bits.
    if (BlockKey.hash(file, offset) >>> Integer.SIZE >= sampledBelow) {
      return;
    }
    if (queued.get() >= MOST_QUEUED) {
      dropped.increment();
      return;
    }
    queued.incrementAndGet();
    queue.add(new Seen(kind, file, offset, sizeBytes, type));
  }

  /**
   * Writes what is in the queue.
   *
   * @return whether the recording goes on
   */
  synchronized boolean drain() {
    if (end != null) {
      return false;
    }
    long nanos = nanoClock.getAsLong() - startNanos;
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    try {
      boolean hasRoom = writeQueued(millis);
      if (!hasRoom) {
        end("the file is full", millis);
      } else if (nanos >= mostNanos) {
        end("the time is over", millis);
      }
    } catch (IOException | RuntimeException | Error e) {
      failed(e);
    }
    return end == null;
  }

  private boolean writeQueued(long millis) throws IOException {
    // Accesses that come meanwhile wait for the next run, so that this one ends.
    int most = queued.get();
    int taken = 0;
    boolean hasRoom = true;
    Seen access;
    while (hasRoom && taken < most && (access = queue.poll()) != null) {
      taken++;
      hasRoom = writer.add(access, millis);
      written += hasRoom ? 1 : 0;
    }
    queued.addAndGet(-taken);
    writer.flush(millis);
    bytes = writer.bytes();
    return hasRoom;
  }

  private void end(String reason, long millis) throws IOException {
    end = reason;
    writer.end(reads.sum(), dropped.sum(), millis);
    bytes = writer.bytes();
    close();
    LOG.info("Terrace's trace: {}", describe());
  }

  private void failed(Throwable cause) {
    end = "failed: " + cause;
    LOG.warn("The recording of {} ends, its file is cut", path, cause);
    close();
  }

  private void close() {
    try {
      writer.close();
    } catch (IOException e) {
      LOG.warn("path={} cannot be closed", path, e);
    }
  }

  /** Writes what is in the queue, and ends the recording if it goes on. */
  synchronized void stop() {
    if (drain()) {
      try {
        end("it was stopped", TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - startNanos));
      } catch (IOException e) {
        failed(e);
      }
    }
  }

  /** The file and the figures, for people. */
  synchronized String describe() {
    return String.format(
        Locale.ROOT,
        "%s%s: 1 block in %d, %d reads of all blocks, %d entries written, %d dropped, %d bytes",
        path,
        end == null ? " (recording)" : " (ended: " + end + ")",
        oneIn,
        reads.sum(),
        written,
        dropped.sum(),
        bytes);
  }
}
