// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A file for many threads that stays open if one of them is interrupted. Thread-safe. */
public final class UninterruptibleFile implements AutoCloseable {

  /*
   * An interrupt of a thread inside a FileChannel closes the channel for all threads. Reopening the
   * file needs a descriptor, and none may be free. An AsynchronousFileChannel ignores interrupts
   * and leaves its threads to an executor. This executor runs each task on the calling thread, so a
   * call costs no handover, and its result is available when the call returns.
   *
   * Each read takes a lock and a monitor of its channel. So on many processors a file for many
   * readers has several channels, and each thread always reads through the same one.
   */

  private static final int PROCESSORS_PER_CHANNEL = 8;
  private static final int MAX_CHANNELS = 8;

  /** Runs tasks on the calling thread. Has no thread of its own, so it needs no shutdown. */
  private static final ExecutorService CALLING_THREAD =
      new ThreadPoolExecutor(0, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>()) {
        @Override
        public void execute(Runnable task) {
          task.run();
        }
      };

  private final Path file;
  private final AsynchronousFileChannel[] channels;

  private UninterruptibleFile(Path file, List<AsynchronousFileChannel> channels) {
    this.file = file;
    this.channels = channels.toArray(new AsynchronousFileChannel[0]);
  }

  /**
   * Opens an existing file, for as many readers as there are processors. Links are not followed.
   *
   * @param options such as {@link java.nio.file.StandardOpenOption#READ}; none that creates or
   *     truncates a file
   */
  public static UninterruptibleFile open(Path file, Set<? extends OpenOption> options)
      throws IOException {
    int wanted = Runtime.getRuntime().availableProcessors() / PROCESSORS_PER_CHANNEL;
    return open(file, options, Math.max(1, Math.min(MAX_CHANNELS, wanted)));
  }

  static UninterruptibleFile open(Path file, Set<? extends OpenOption> options, int channels)
      throws IOException {
    Set<OpenOption> all = new HashSet<>(options);
    all.add(LinkOption.NOFOLLOW_LINKS);
    List<AsynchronousFileChannel> opened = new ArrayList<>();
    try {
      while (opened.size() < channels) {
        opened.add(AsynchronousFileChannel.open(file, all, CALLING_THREAD));
      }
      return new UninterruptibleFile(file, opened);
    } finally {
      if (opened.size() < channels) {
        closeAll(opened);
      }
    }
  }

  /**
   * Fills the target's remaining bytes from a position on.
   *
   * @throws EOFException if the file ends before the target is full
   * @throws IOException if reading fails, or the file is closed
   */
  public void read(long position, ByteBuffer target) throws IOException {
    AsynchronousFileChannel own =
        channels[(int) (Thread.currentThread().getId() % channels.length)];
    long from = position;
    while (target.hasRemaining()) {
      int bytes = done(own.read(target, from));
      if (bytes < 0) {
        throw new EOFException(
            file + " ends before position=" + from + " remaining=" + target.remaining());
      }
      from += bytes;
    }
  }

  /**
   * Writes the source's remaining bytes from a position on.
   *
   * @throws IOException if writing fails, or the file is closed; any part may be written then
   */
  public void write(long position, ByteBuffer source) throws IOException {
    long from = position;
    while (source.hasRemaining()) {
      from += done(channels[0].write(source, from));
    }
  }

  public void force() throws IOException {
    channels[0].force(false);
  }

  @Override
  public void close() throws IOException {
    closeAll(Arrays.asList(channels));
  }

  private static void closeAll(List<AsynchronousFileChannel> channels) throws IOException {
    IOException failure = null;
    for (AsynchronousFileChannel each : channels) {
      try {
        each.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** The result of a call that has run on this thread. */
  private static int done(Future<Integer> call) throws IOException {
    try {
      return call.get();
    } catch (ExecutionException e) {
      // The call ran on this thread, so the stack trace of the cause is right.
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException("an asynchronous call returned early", e);
    }
  }
}
