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
package dev.terrace.tools.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a program that reads nothing, and kills it with all that it started if it does not end. */
final class ShortCommand {

  static final Duration LIMIT = Duration.ofSeconds(10);

  /** How a program ended, and what it printed, as far as that is UTF-8. */
  record Result(int exitValue, String output) {}

  private ShortCommand() {}

  static Result run(ProcessBuilder builder) throws IOException, TimeoutException {
    return run(builder, LIMIT);
  }

  /**
   * Runs a program.
   *
   * @throws IOException if it does not start
   * @throws TimeoutException if it does not end within the limit
   */
  static Result run(ProcessBuilder builder, Duration limit) throws IOException, TimeoutException {
    Process process = builder.redirectInput(new File("/dev/null")).start();
    try {
      CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> output(process));
      String printed = output.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TimeoutException();
      }
      return new Result(process.exitValue(), printed);
    } catch (ExecutionException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String output(Process process) {
    try {
      return new String(process.getInputStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
