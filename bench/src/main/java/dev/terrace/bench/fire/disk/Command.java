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
package dev.terrace.bench.fire.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A program of the system that runs to its end. */
final class Command {

  private Command() {}

  /**
   * Runs a program and returns what it printed. An interrupt of the calling thread does not cut it
   * short, so that it can be used to clean up.
   *
   * @throws IOException if it is absent or fails; the message has its words
   */
  static String run(String... words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", words) + ": " + said);
    }
    return said;
  }
}
