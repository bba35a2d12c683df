// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.device.DeviceThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The answers of paths within a time limit. A disk in reset or a network may never answer, so each
 * path is asked by a daemon thread of its own, all at once. Thread-safe.
 */
public final class PathAnswers<T> {

  /** How long paths have to answer at a start. */
  public static final Duration LIMIT = Duration.ofSeconds(10);

  private final Map<Path, CompletableFuture<T>> answers = new LinkedHashMap<>();
  private final Duration limit;

  /** A question that may block for as long as the file system does. */
  @FunctionalInterface
  public interface Question<T> {
    T ask(Path path) throws IOException;
  }

  private PathAnswers(Duration limit) {
    this.limit = limit;
  }

  /**
   * Asks all paths.
   *
   * @throws InterruptedIOException if this thread is interrupted; its interrupted status stays set
   */
  public static <T> PathAnswers<T> of(Collection<Path> paths, Question<T> question, Duration limit)
      throws InterruptedIOException {
    PathAnswers<T> all = new PathAnswers<>(limit);
    for (Path path : paths) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      all.answers.put(path, answer);
      try {
        DeviceThreads.daemons("terrace-open-" + path)
            .newThread(() -> answer(question, path, answer))
            .start();
      } catch (OutOfMemoryError e) {
        answer.completeExceptionally(failed(path, e));
      }
    }
    all.await();
    return all;
  }

  private static <T> void answer(Question<T> question, Path path, CompletableFuture<T> answer) {
    try {
      answer.complete(ask(question, path));
    } catch (IOException e) {
      answer.completeExceptionally(e);
    }
  }

  /**
   * The answer of a path, on the calling thread. Whatever it fails with is a fault of this path.
   */
  static <T> T ask(Question<T> question, Path path) throws IOException {
    try {
      return question.ask(path);
    } catch (RuntimeException | Error e) {
      throw failed(path, e);
    }
  }

  private static UnusablePathException failed(Path path, Throwable cause) {
    return new UnusablePathException(
        path,
        "cannot be opened (" + cause + ")",
        "check its file system, and this process's limits of threads and memory",
        cause);
  }

  private void await() throws InterruptedIOException {
    try {
      CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
          .get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Thrown to the caller that asks for that path's answer.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while paths were checked");
    }
  }

  public boolean has(Path path) {
    return answers.get(path).isDone();
  }

  /**
   * The answer of a path.
   *
   * @throws UnusablePathException if it has not answered
   * @throws IOException if that is the answer
   */
  public T of(Path path) throws IOException {
    if (!has(path)) {
      throw new UnusablePathException(
          path,
          "did not respond within " + limit.toSeconds() + " s, its disk or network hangs",
          "check dmesg for disk errors, or remove the path from the tier");
    }
    try {
      return answers.get(path).join();
    } catch (CompletionException e) {
      throw (IOException) e.getCause();
    }
  }

  /** Passes on a path's answer, even a late one, unless it is a failure. */
  void eachAnswer(Path path, Consumer<T> receiver) {
    var unused = answers.get(path).thenAccept(receiver);
  }
}
