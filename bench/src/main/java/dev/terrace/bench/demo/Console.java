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
package dev.terrace.bench.demo;

import java.io.PrintStream;
import java.time.Duration;

/**
 * Where the demo speaks: lines that stay, and progress, which overwrites itself on a terminal and
 * otherwise comes as one line every five seconds. Safe for use by several threads.
 */
final class Console {

  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintStream out;
  private final boolean terminal;
  private boolean progressShown;
  private boolean silent;

  Console(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Returns how often progress should be told. */
  Duration progressInterval() {
    return terminal ? Duration.ofMillis(500) : Duration.ofSeconds(5);
  }

  /** Writes lines that stay. */
  synchronized void say(String lines) {
    if (silent) {
      return;
    }
    clearProgress();
    out.println(lines);
    out.flush();
  }

  /** Shows how far the work is. */
  synchronized void progress(String line) {
    if (silent) {
      return;
    }
    clearProgress();
    out.print("      " + line);
    if (terminal) {
      progressShown = true;
    } else {
      out.println();
    }
    out.flush();
  }

  /** Writes a line to where errors go, unless the last line was written. */
  synchronized void complain(PrintStream errors, String line) {
    if (silent) {
      return;
    }
    clearProgress();
    out.flush();
    errors.println(line);
  }

  /** Writes a last line; nothing follows it, whatever other threads still do. */
  synchronized void sayLast(String line) {
    say(line);
    silent = true;
  }

  private void clearProgress() {
    if (progressShown) {
      out.print(CLEAR_LINE);
      progressShown = false;
    }
  }
}
