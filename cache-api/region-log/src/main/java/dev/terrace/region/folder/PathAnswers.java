// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

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
 * What paths answer within a limit. A disk in reset or a network may never answer: each path is
 * asked by a daemon of its own, all of them at once. Thread-safe.
 */
public final class PathAnswers<T> {

  /** How long paths have at a start. */
  public static final Duration LIMIT = Duration.ofSeconds(10);

  private final Map<Path, CompletableFuture<T>> answers = new LinkedHashMap<>();
  private final Duration limit;

  /** What may take as long as a file system does. */
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
   * @throws InterruptedIOException if this thread is interrupted, which stays so
   */
  public static <T> PathAnswers<T> of(Collection<Path> paths, Question<T> question, Duration limit)
      throws InterruptedIOException {
    PathAnswers<T> all = new PathAnswers<>(limit);
    for (Path path : paths) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      all.answers.put(path, answer);
      Thread asking = new Thread(() -> ask(question, path, answer), "terrace-open-" + path);
      asking.setDaemon(true);
      asking.start();
    }
    all.await();
    return all;
  }

  private static <T> void ask(Question<T> question, Path path, CompletableFuture<T> answer) {
    try {
      answer.complete(question.ask(path));
    } catch (IOException | RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  private void await() throws InterruptedIOException {
    try {
      CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
          .get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Who asks for the answer of that path is told.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while paths were looked at");
    }
  }

  /** Whether a path has answered by now. */
  public boolean has(Path path) {
    return answers.get(path).isDone();
  }

  /**
   * The answer of a path.
   *
   * @throws CachePathException if it has not answered
   * @throws IOException if that is the answer
   */
  public T of(Path path) throws IOException {
    if (!has(path)) {
      throw new CachePathException(
          path,
          "did not answer within " + limit.toSeconds() + " s, its disk or its network hangs",
          "look for the disk's errors (dmesg), or take the path out of the tier");
    }
    try {
      return answers.get(path).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw (RuntimeException) e.getCause();
    }
  }

  /** Receives each answer that is not a failure, also those that are late. */
  void eachAnswer(Path path, Consumer<T> receiver) {
    var unused = answers.get(path).thenAccept(receiver);
  }
}
