// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.trace;

import dev.terrace.api.BlockKey;
import dev.terrace.api.LogQueue;
import dev.terrace.region.device.DeviceThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the accesses to a cache's blocks into a file, one recording at a time. Thread-safe. The
 * file has no names of files, no row keys and no data; a block is a file's number, an offset, a
 * size and a type.
 */
public final class TraceRecorder {

  /** Short enough for the queue at millions of accesses a second. */
  private static final long DRAIN_EVERY_MILLIS = 20;

  /** Some 5 MB of heap. Threads that add at the same time may exceed it by one entry each. */
  private static final int MAX_QUEUED = 1 << 16;

  private static final Logger LOG = LoggerFactory.getLogger(TraceRecorder.class);

  private static final DateTimeFormatter FILE_NAME =
      DateTimeFormatter.ofPattern("'terrace-'yyyyMMdd'T'HHmmss'Z.trace'").withZone(ZoneOffset.UTC);

  /** What was done with a block. The order is that of the tags in the file. */
  public enum Kind {
    /** A read that caches the block if it misses. */
    READ,
    /** A read that leaves the cache as it is, such as that of a compaction. */
    PASSING_READ,
    /** A put after a read that missed. */
    PUT,
    /** A put ahead of any read: a prefetch, or what a flush or a compaction writes. */
    PUT_AHEAD
  }

  /**
   * What to record, and the limits of the recording.
   *
   * @param folder an existing folder for the file
   * @param oneIn records one block in this many, with all of its accesses; 1 for all
   * @param maxMegabytes largest size of the file, at most 64 GB
   * @param maxSeconds longest time, at most a week
   * @param withTables whether to write the names of the files' tables
   */
  public record Options(
      Path folder, int oneIn, int maxMegabytes, int maxSeconds, boolean withTables) {

    public Options {
      require("oneIn", oneIn, 65_536);
      require("maxMegabytes", maxMegabytes, 65_536);
      require("maxSeconds", maxSeconds, 7 * 24 * 60 * 60);
    }

    private static void require(String name, int value, int max) {
      if (value < 1 || value > max) {
        throw new IllegalArgumentException(
            name + "=" + value + " is out of range: use 1 to " + max);
      }
    }
  }

  private final UnaryOperator<String> tableOfFile;
  private final LongSupplier nanoClock;

  /**
   * The current recording; null if there is none. A plain field, so that a hit pays one plain read.
   * A thread that sees a change late misses the first accesses, or adds some after the end.
   */
  private Recording active;

  /** The last recording, which may have ended; null before the first one. */
  private Recording last;

  private ScheduledExecutorService thread;

  /**
   * Creates a recorder without a recording.
   *
   * @param tableOfFile the name of a file's table; null if it is unknown
   * @param nanoClock like {@link System#nanoTime}
   */
  public TraceRecorder(UnaryOperator<String> tableOfFile, LongSupplier nanoClock) {
    this.tableOfFile = tableOfFile;
    this.nanoClock = nanoClock;
  }

  /** Whether accesses are recorded. */
  public boolean isOn() {
    return active != null;
  }

  /**
   * Records an access, if recording is on and the block is in its sample. Never waits.
   *
   * @param sizeBytes the block's size in the cache; 0 if it is unknown
   * @param type the owner's number for the block's type, from 0 to 255
   */
  public void add(Kind kind, String file, long offset, int sizeBytes, int type) {
    Recording recording = active;
    if (recording != null) {
      recording.add(kind, file, offset, sizeBytes, type);
    }
  }

  /**
   * Starts a recording.
   *
   * @return its new file
   * @throws IllegalStateException if a recording is on
   * @throws IOException if the folder does not exist, or the file cannot be made in it
   */
  public synchronized Path start(Options options) throws IOException {
    if (isOn()) {
      throw new IllegalStateException("a trace is already being recorded: " + last.describe());
    }
    if (!Files.isDirectory(options.folder())) {
      throw new IOException("path=" + options.folder() + " is not a folder: create it first");
    }
    Instant now = Instant.now();
    Path file = options.folder().resolve(FILE_NAME.format(now));
    TraceWriter writer =
        new TraceWriter(
            file,
            options.oneIn(),
            now.toEpochMilli(),
            (long) options.maxMegabytes() << 20,
            options.withTables() ? tableOfFile : name -> null);
    Recording recording = new Recording(file, options, writer, nanoClock);
    thread = Executors.newSingleThreadScheduledExecutor(DeviceThreads.daemons("terrace-trace"));
    var unused =
        thread.scheduleWithFixedDelay(
            () -> drain(recording), 0, DRAIN_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    last = recording;
    active = recording;
    return file;
  }

  private void drain(Recording recording) {
    if (!recording.drain(false)) {
      finish(recording);
    }
  }

  private synchronized void finish(Recording recording) {
    if (active == recording) {
      active = null;
      thread.shutdown();
    }
  }

  /** Ends the recording, if there is one, and completes its file. */
  public synchronized void stop() {
    if (isOn()) {
      boolean unused = last.drain(true);
      finish(last);
    }
  }

  /** The file and the figures of the last recording, for people; {@code none} before the first. */
  public synchronized String status() {
    return last == null ? "none" : last.describe();
  }

  /**
   * One recording. Accesses go into a queue, which one thread empties into the file. If the queue
   * is full, accesses are dropped and counted: no caller waits. Thread-safe.
   */
  static final class Recording {

    /** An access in the queue. */
    record Seen(Kind kind, String file, long offset, int sizeBytes, int type) {}

    private final Queue<Seen> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final LongAdder reads = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Path path;
    private final Options options;
    private final long sampledBelow;
    private final LongSupplier nanoClock;
    private final long startNanos;
    private final TraceWriter writer;
    private long written;

    /** Why the recording ended; null as long as it goes on. */
    private String end;

    Recording(Path path, Options options, TraceWriter writer, LongSupplier nanoClock) {
      this.path = path;
      this.options = options;
      this.sampledBelow = (1L << Integer.SIZE) / options.oneIn();
      this.writer = writer;
      this.nanoClock = nanoClock;
      this.startNanos = nanoClock.getAsLong();
    }

    /** Records an access if its block is in the sample. Never waits. */
    void add(Kind kind, String file, long offset, int sizeBytes, int type) {
      if (kind == Kind.READ) {
        reads.increment();
      }
      // The upper half of the hash, as policies sample by the lower bits.
      if (BlockKey.hash(file.hashCode(), offset) >>> Integer.SIZE >= sampledBelow) {
        return;
      }
      if (queued.get() >= MAX_QUEUED) {
        dropped.increment();
        return;
      }
      queued.incrementAndGet();
      queue.add(new Seen(kind, file, offset, sizeBytes, type));
    }

    /**
     * Writes what is in the queue, and ends the recording at its limits.
     *
     * @param isStop whether to end it in any case
     * @return whether the recording goes on
     */
    synchronized boolean drain(boolean isStop) {
      if (end != null) {
        return false;
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - startNanos);
      try {
        if (!writeQueued(millis)) {
          end("the file is full", millis);
        } else if (millis >= 1000L * options.maxSeconds()) {
          end("the time is over", millis);
        } else if (isStop) {
          end("it was stopped", millis);
        }
      } catch (IOException | RuntimeException | Error e) {
        end = "failed: " + e;
        LogQueue.warn(
            LOG, "Trace {} stopped after an error; the file is truncated but readable", path, e);
        close();
      }
      return end == null;
    }

    private boolean writeQueued(long millis) throws IOException {
      // Accesses added during this run wait for the next run, so that this one ends.
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
      return hasRoom;
    }

    private void end(String reason, long millis) throws IOException {
      end = reason;
      writer.end(reads.sum(), dropped.sum(), millis);
      close();
      LogQueue.info(LOG, "Terrace's trace ended: {}", describe());
    }

    private void close() {
      try {
        writer.close();
      } catch (IOException e) {
        LogQueue.warn(LOG, "Trace {}: closing the file failed", path, e);
      }
    }

    /** The file and the figures, for people. */
    synchronized String describe() {
      return String.format(
          Locale.ROOT,
          "%s%s: 1 block in %d, %d reads of all blocks, %d entries written, %d dropped, %d bytes",
          path,
          end == null ? " (recording)" : " (ended: " + end + ")",
          options.oneIn(),
          reads.sum(),
          written,
          dropped.sum(),
          writer.bytes());
    }
  }
}
