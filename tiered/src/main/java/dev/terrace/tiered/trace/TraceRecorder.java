// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.trace;

import dev.terrace.region.device.DeviceThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Records the accesses to a cache's blocks into a file, one recording at a time. Thread-safe. The
 * file has no names of files, no row keys and no data; a block is a file's number, an offset, a
 * size and a type.
 */
public final class TraceRecorder {

  /** Short enough for the queue at millions of accesses a second. */
  private static final long DRAIN_EVERY_MILLIS = 20;

  private static final DateTimeFormatter FILE_NAME =
      DateTimeFormatter.ofPattern("'terrace-'yyyyMMdd'T'HHmmss'Z.trace'").withZone(ZoneOffset.UTC);

  private final UnaryOperator<String> tableOfFile;
  private final LongSupplier nanoClock;

  /**
   * What to record into; null if nothing. A plain field, so that a hit pays one read for it. A
   * thread that sees a change late misses the first accesses, or adds some to what has ended.
   */
  private Recording active;

  /** The last recording, which may have ended; null before the first one. */
  private Recording last;

  private ScheduledExecutorService thread;

  /**
   * Records nothing yet.
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
   * Records an access, if recording is on and the block in its sample. Never waits.
   *
   * @param sizeBytes the block's size in the cache; 0 if it is unknown
   * @param type the owner's number of the block's type, from 0 to 255
   */
  public void add(TracedAccess.Kind kind, String file, long offset, int sizeBytes, int type) {
    Recording recording = active;
    if (recording != null) {
      recording.add(kind, file, offset, sizeBytes, type);
    }
  }

  /**
   * Starts a recording.
   *
   * @return its file, which is new
   * @throws IllegalStateException if a recording is on
   * @throws IOException if the folder does not exist, or the file cannot be made in it
   */
  public synchronized Path start(TraceOptions options) throws IOException {
    if (isOn()) {
      throw new IllegalStateException("a trace is being recorded: " + last.describe());
    }
    if (!Files.isDirectory(options.folder())) {
      throw new IOException("path=" + options.folder() + " is no folder: make it first");
    }
    Instant now = Instant.now();
    Path file = options.folder().resolve(FILE_NAME.format(now));
    TraceWriter writer =
        new TraceWriter(
            file,
            options.oneIn(),
            now.toEpochMilli(),
            options.mostBytes(),
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
    if (!recording.drain()) {
      finish(recording);
    }
  }

  private synchronized void finish(Recording recording) {
    if (active == recording) {
      active = null;
      thread.shutdown();
    }
  }

  /** Ends the recording if there is one; its file is whole then. May be called at any time. */
  public synchronized void stop() {
    if (isOn()) {
      last.stop();
      finish(last);
    }
  }

  /** The file and the figures of the last recording, for people; {@code none} before the first. */
  public synchronized String status() {
    return last == null ? "none" : last.describe();
  }
}
