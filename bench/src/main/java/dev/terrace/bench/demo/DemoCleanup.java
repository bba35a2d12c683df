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

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stops the server and deletes what it wrote, once: at the end of the demo, or when the JVM is
 * asked to end meanwhile, as Ctrl-C does.
 */
final class DemoCleanup {

  private final DemoOptions options;
  private final Console console;
  private final DemoServer server;
  private final WorkDirectory directory;
  private final CacheDirectories caches;
  private final AtomicBoolean done = new AtomicBoolean();

  DemoCleanup(
      DemoOptions options,
      Console console,
      DemoServer server,
      WorkDirectory directory,
      CacheDirectories caches) {
    this.options = options;
    this.console = console;
    this.server = server;
    this.directory = directory;
    this.caches = caches;
  }

  /** Makes sure of it for the case that the JVM is asked to end. */
  void registerForInterrupt() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::runAtOnce, "terrace-demo-cleanup"));
  }

  /**
   * Does it in the normal course. After a failure configuration and logs stay.
   *
   * @throws DemoFailure if something cannot be deleted
   */
  void run(boolean succeeded) throws DemoFailure {
    if (succeeded) {
      server.stop();
    } else {
      server.abandon();
    }
    if (done.compareAndSet(false, true)) {
      delete(succeeded);
    }
  }

  private void runAtOnce() {
    if (!done.compareAndSet(false, true)) {
      return;
    }
    console.sayLast(
        "\nStopping HBase" + (options.keep() ? "; its data stays in " + directory.path() : ""));
    server.abandon();
    try {
      delete(true);
    } catch (DemoFailure e) {
      System.err.println("terrace demo: " + e.getMessage());
    }
  }

  private void delete(boolean everything) throws DemoFailure {
    if (options.keep()) {
      return;
    }
    try {
      caches.delete();
      if (everything) {
        directory.delete();
      } else {
        directory.deleteData();
      }
    } catch (IOException e) {
      throw new DemoFailure("cannot delete what the demo wrote: " + e, e);
    }
  }
}
