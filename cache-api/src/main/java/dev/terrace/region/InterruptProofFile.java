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
package dev.terrace.region;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * A file that is read and written by many threads, none of which can close it for the others by
 * being interrupted. Thread-safe.
 */
public final class InterruptProofFile implements AutoCloseable {

  /*
   * An interrupt that arrives while a thread is inside a FileChannel closes the channel, for all
   * threads. Whoever finds it closed opens the file again, unless somebody else has, and repeats what
   * it did from where it was. The interrupted status is cleared before each attempt, for a thread
   * that has it set could not even begin, and is restored at the end. A call goes on as long as it is
   * interrupted: each attempt that fails costs somebody an interrupt, so that it ends.
   */

  private final Path file;
  private final Set<OpenOption> options;
  private final Object fileKey;
  private volatile FileChannel channel;
  private volatile boolean closed;

  private InterruptProofFile(
      Path file, Set<OpenOption> options, Object fileKey, FileChannel channel) {
    this.file = file;
    this.options = options;
    this.fileKey = fileKey;
    this.channel = channel;
  }

  /**
   * Opens an existing file. Links are not followed.
   *
   * @param options such as {@link java.nio.file.StandardOpenOption#READ}; none that creates or
   *     truncates a file
   */
  public static InterruptProofFile open(Path file, Set<? extends OpenOption> options)
      throws IOException {
    Set<OpenOption> all = new HashSet<>(options);
    all.add(LinkOption.NOFOLLOW_LINKS);
    return new InterruptProofFile(file, Set.copyOf(all), key(file), FileChannel.open(file, all));
  }

  /**
   * Fills the target's remaining bytes from a position on.
   *
   * @throws EOFException if the file ends before
   * @throws IOException if reading fails, or the file is closed
   */
  public void read(long position, ByteBuffer target) throws IOException {
    int start = target.position();
    repeated(
        open -> {
          while (target.hasRemaining()) {
            long from = position + target.position() - start;
            if (open.read(target, from) < 0) {
              throw new EOFException(
                  file + " ends before position=" + from + " remaining=" + target.remaining());
            }
          }
        });
  }

  /**
   * Writes the source's remaining bytes from a position on.
   *
   * @throws IOException if writing fails, or the file is closed; any part may be written then
   */
  public void write(long position, ByteBuffer source) throws IOException {
    int start = source.position();
    repeated(
        open -> {
          while (source.hasRemaining()) {
            open.write(source, position + source.position() - start);
          }
        });
  }

  /** Makes durable what was written. */
  public void force() throws IOException {
    repeated(open -> open.force(false));
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    channel.close();
  }

  /** The channel of the moment. */
  FileChannel channel() {
    return channel;
  }

  private void repeated(Step step) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        FileChannel open = channel;
        try {
          step.on(open);
          return;
        } catch (ClosedChannelException e) {
          reopen(open, e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void reopen(FileChannel found, ClosedChannelException cause)
      throws IOException {
    if (closed) {
      throw cause;
    }
    if (channel != found) {
      return;
    }
    if (!Objects.equals(key(file), fileKey)) {
      throw new IOException(file + " is no longer the file that was opened", cause);
    }
    channel = FileChannel.open(file, options);
  }

  private static Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  private interface Step {
    void on(FileChannel open) throws IOException;
  }
}
