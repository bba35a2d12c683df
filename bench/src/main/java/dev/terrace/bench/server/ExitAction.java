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
package dev.terrace.bench.server;

/**
 * What this JVM does when it is asked to end, as by Ctrl-C. It can change on the way.
 *
 * <p>Any thread may call any method.
 */
public final class ExitAction {

  /** Why something failed in a JVM that was asked to end. */
  static final String STOPPED = "stopped before its end";

  private final Thread hook = new Thread(this::end, "terrace-cleanup");
  private Runnable action;
  private boolean ended;

  private ExitAction(Runnable action) {
    this.action = action;
  }

  /** Does something at the end, unless the JVM is ending already. */
  static ExitAction of(Runnable action) throws RunFailure {
    ExitAction exit = new ExitAction(action);
    try {
      Runtime.getRuntime().addShutdownHook(exit.hook);
    } catch (IllegalStateException ending) {
      throw new RunFailure(STOPPED, ending);
    }
    return exit;
  }

  /** Does something else at the end, unless the JVM is ending already. */
  synchronized void replace(Runnable other) throws RunFailure {
    if (ended) {
      throw new RunFailure(STOPPED);
    }
    action = other;
  }

  /** Does nothing at the end; too late once the JVM is ending. */
  void cancel() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The action runs, or has run, and the JVM waits for it.
      return;
    }
  }

  private void end() {
    Runnable last;
    synchronized (this) {
      ended = true;
      last = action;
    }
    last.run();
  }
}
