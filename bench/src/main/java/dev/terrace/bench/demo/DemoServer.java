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

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.hbase.HBaseInstall;
import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.HBaseServerBuilder;
import dev.terrace.bench.hbase.TerraceStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The one HBase server that runs at a time, always over the same data. One thread starts and stops
 * it; {@link #abandon} may come from any other at any time.
 */
final class DemoServer {

  private static final ByteSize NETWORK_BUFFERS = ByteSize.ofMebibytes(512);

  /** What the SSD tier writes a directory from. */
  private static final ByteSize SSD_BUFFERS = ByteSize.ofMebibytes(48);

  private final DemoOptions options;
  private final Console console;
  private final HBaseInstall install;
  private final WorkDirectory directory;
  private HBaseServer newest;
  private boolean abandoned;

  DemoServer(DemoOptions options, Console console, HBaseInstall install, WorkDirectory directory) {
    this.options = options;
    this.console = console;
    this.install = install;
    this.directory = directory;
  }

  /** Starts HBase with a cache. */
  void start(CacheSetup setup) throws IOException {
    Path folder = folder(setup);
    console.say("Starting HBase with " + setup.name() + ", in " + folder);
    long start = System.nanoTime();
    HBaseServerBuilder builder =
        HBaseServer.in(folder)
            .dataDirectory(directory.data())
            .set(setup.settings())
            .heap(options.heap())
            .directMemory(directMemory())
            .whenLaunched(this::adopt);
    if (setup.withDropInJar()) {
      builder.withDropInJar();
    }
    HBaseServer server = builder.start(install);
    console.say(
        String.format(
            Locale.ROOT,
            "      up after %.0f s%n      region server: %s%n      JMX: %s",
            (System.nanoTime() - start) / 1e9,
            server.regionServerPage(),
            setup.withDropInJar()
                ? server.jmx().address(TerraceStats.QUERY)
                : server.jmx().address()));
  }

  private ByteSize directMemory() {
    long buffers = options.ssd().size() * SSD_BUFFERS.bytes();
    return new ByteSize(options.dram().bytes() + NETWORK_BUFFERS.bytes() + buffers);
  }

  /** Ends the server as {@code kill -9} does. */
  void kill9() {
    newest().ifPresent(HBaseServer::kill9);
  }

  /** Stops the server. */
  void stop() {
    newest().ifPresent(HBaseServer::stop);
  }

  /** Kills the server at once and lets none be started any more. */
  void abandon() {
    synchronized (this) {
      abandoned = true;
    }
    newest().ifPresent(HBaseServer::kill9);
  }

  /**
   * Returns the server that runs.
   *
   * @throws IllegalStateException if none was started
   */
  HBaseServer current() {
    return newest().orElseThrow(() -> new IllegalStateException("no server was started"));
  }

  /** Returns the server that was started last, whether or not it runs. */
  synchronized Optional<HBaseServer> newest() {
    return Optional.ofNullable(newest);
  }

  /** Returns the folder of a server's hbase-site.xml. */
  Path configuration(CacheSetup setup) {
    return folder(setup).resolve("conf");
  }

  /** Returns the folder of everything. */
  Path directory() {
    return directory.path();
  }

  private Path folder(CacheSetup setup) {
    return directory.path().resolve(setup.withDropInJar() ? "hbase-with-terrace" : "hbase-alone");
  }

  private synchronized void adopt(HBaseServer server) {
    if (abandoned) {
      throw new IllegalStateException("the demo was ended while HBase was started");
    }
    newest = server;
  }
}
