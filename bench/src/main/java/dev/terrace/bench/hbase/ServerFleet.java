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
package dev.terrace.bench.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts servers and ends all of them, whatever happens. {@link #abandon} may come from any thread
 * at any time.
 */
public final class ServerFleet {

  private final HBaseInstall install;
  private final List<HBaseServer> launched = new ArrayList<>();
  private final List<HBaseServer> running = new ArrayList<>();
  private boolean abandoned;

  /** A fleet without servers. */
  public ServerFleet(HBaseInstall install) {
    this.install = install;
  }

  /**
   * Starts a server and returns when a client can use it.
   *
   * @param configuration its cache; the folders that it needs are created
   * @param folder where the server keeps its configuration and log
   * @param data its files
   * @param extra further settings for hbase-site.xml
   * @throws IOException if it does not start
   */
  public HBaseServer start(
      CacheConfiguration configuration, Path folder, Path data, Map<String, String> extra)
      throws IOException {
    return start(configuration, folder, data, extra, List.of());
  }

  /**
   * The same with further jars in the server's {@code lib/}.
   *
   * @throws IOException if it does not start
   */
  public HBaseServer start(
      CacheConfiguration configuration,
      Path folder,
      Path data,
      Map<String, String> extra,
      List<Path> jars)
      throws IOException {
    for (Optional<Path> cache : List.of(configuration.pmemFolder(), configuration.ssdFolder())) {
      if (cache.isPresent()) {
        Files.createDirectories(cache.get());
      }
    }
    // A heap that grows in the middle of a run would be measured with it.
    HBaseServerBuilder builder =
        configuration
            .with(extra)
            .server(folder, data)
            .jvmFlag("-Xms" + configuration.heap().bytes())
            .whenLaunched(this::adopt);
    jars.forEach(builder::withJar);
    HBaseServer server = started(builder);
    synchronized (this) {
      running.add(server);
    }
    return server;
  }

  private HBaseServer started(HBaseServerBuilder builder) throws IOException {
    try {
      return builder.start(install);
    } catch (IllegalStateException e) {
      if (isAbandoned()) {
        throw new IOException("the run was ended while a server was started", e);
      }
      throw e;
    }
  }

  private synchronized boolean isAbandoned() {
    return abandoned;
  }

  private synchronized void adopt(HBaseServer server) {
    if (abandoned) {
      throw new IllegalStateException("the run was ended while a server was started");
    }
    launched.add(server);
  }

  /** Kills all servers at once and lets none be started any more. */
  public void abandon() {
    List<HBaseServer> servers;
    synchronized (this) {
      abandoned = true;
      servers = List.copyOf(launched);
    }
    servers.forEach(HBaseServer::kill9);
  }

  /** Returns the first server that ended though nobody stopped it, if there is one. */
  public synchronized Optional<HBaseServer> firstDead() {
    return running.stream().filter(server -> !server.isAlive()).findFirst();
  }

  /** Returns the log of the server that was started last. */
  synchronized Optional<Path> newestLog() {
    return launched.isEmpty()
        ? Optional.empty()
        : Optional.of(launched.get(launched.size() - 1).log());
  }

  /** Stops a server in the normal course. */
  public void stop(HBaseServer server) {
    synchronized (this) {
      running.remove(server);
    }
    server.stop();
  }

  /** Ends a server as {@code kill -9} does. */
  public void kill9(HBaseServer server) {
    synchronized (this) {
      running.remove(server);
    }
    server.kill9();
  }
}
