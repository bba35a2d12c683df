// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads small files. A file that cannot be read now is not taken for absent or damaged: that would
 * empty a path for one error of its disk.
 */
final class PatientRead {

  static final int ATTEMPTS = 5;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** Opens a file. */
  @FunctionalInterface
  interface Opening {
    InputStream open(Path file) throws IOException;
  }

  private final Opening opening;
  private final Runnable pause;

  /**
   * A reader.
   *
   * @param pause waits before the next attempt
   */
  PatientRead(Opening opening, Runnable pause) {
    this.opening = opening;
    this.pause = pause;
  }

  /**
   * The first bytes of a file; empty if there is none. Takes a second if its disk fails.
   *
   * @throws CachePathException if it cannot be read now
   */
  static Optional<byte[]> of(Path file, int mostBytes) throws CachePathException {
    return new PatientRead(Files::newInputStream, () -> LockSupport.parkNanos(PAUSE.toNanos()))
        .read(file, mostBytes);
  }

  Optional<byte[]> read(Path file, int mostBytes) throws CachePathException {
    IOException failure = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (failure != null) {
        pause.run();
      }
      try (InputStream in = opening.open(file)) {
        return Optional.of(in.readNBytes(mostBytes));
      } catch (NoSuchFileException e) {
        return Optional.empty();
      } catch (IOException e) {
        failure = e;
      }
    }
    throw new CachePathException(
        file,
        "cannot be read now, tried " + ATTEMPTS + " times (" + failure + ")",
        "check its disk; the cache there is kept as it is, and to begin with an empty one remove"
            + " the file",
        failure);
  }
}
