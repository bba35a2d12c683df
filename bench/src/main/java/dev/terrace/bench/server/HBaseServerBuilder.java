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

import dev.terrace.bench.ByteSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects what an HBase server shall be like, and starts it. Without more it is HBase as released:
 * Terrace's jar is not in its {@code lib/}. Not safe for use by several threads.
 */
public final class HBaseServerBuilder {

  private static final int START_ATTEMPTS = 3;
  private static final Duration START_LIMIT = Duration.ofMinutes(4);
  private static final String[] PORT_TAKEN = {
    "Failed binding http info server",
    "Address already in use",
    "Could not start ZK at requested port"
  };

  private final ServerFolder folder;
  private final HBaseServer joined;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<String> jvmFlags = new ArrayList<>();
  private final List<Path> extraJars = new ArrayList<>();
  private Path dataDirectory;
  private ByteSize heap = ByteSize.ofMebibytes(1024);
  private ByteSize directMemory = ByteSize.ofMebibytes(1024);
  private boolean withDropIn;
  private LaunchListener launchListener = server -> {};

  HBaseServerBuilder(Path directory, HBaseServer joined) {
    this.folder = new ServerFolder(directory.toAbsolutePath());
    this.joined = joined;
    this.dataDirectory = joined != null ? joined.dataDirectory() : folder.path().resolve("data");
  }

  /**
   * Keeps HBase's files and those of ZooKeeper in this folder; {@code data} in the server's folder
   * otherwise.
   */
  public HBaseServerBuilder dataDirectory(Path directory) {
    this.dataDirectory = directory.toAbsolutePath();
    return this;
  }

  /** Adds a setting to hbase-site.xml; it wins over one that this builder would write itself. */
  public HBaseServerBuilder set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** Adds settings to hbase-site.xml. */
  public HBaseServerBuilder set(Map<String, String> more) {
    settings.putAll(more);
    return this;
  }

  /** Copies Terrace's drop-in jar into the server's {@code lib/}. */
  public HBaseServerBuilder withDropInJar() {
    this.withDropIn = true;
    return this;
  }

  /** Copies one more jar into the server's {@code lib/}. */
  public HBaseServerBuilder withJar(Path jar) {
    extraJars.add(jar);
    return this;
  }

  /** Sets the greatest size of the Java heap; 1 GB otherwise. */
  public HBaseServerBuilder heap(ByteSize size) {
    this.heap = size;
    return this;
  }

  /**
   * Sets what the JVM may allocate outside the heap, for caches and network buffers together; 1 GB
   * otherwise.
   */
  public HBaseServerBuilder directMemory(ByteSize size) {
    this.directMemory = size;
    return this;
  }

  /** Adds a flag of the JVM. */
  public HBaseServerBuilder jvmFlag(String flag) {
    jvmFlags.add(flag);
    return this;
  }

  /**
   * Hands the server to a listener when its process runs, before anybody can use it. When a start
   * is repeated, the listener gets the new server too; the old one has ended then.
   */
  HBaseServerBuilder whenLaunched(LaunchListener listener) {
    this.launchListener = listener;
    return this;
  }

  /**
   * Starts the server and waits until a client can use it. If another program takes one of the
   * ports meanwhile, it is started again with other ports.
   *
   * @throws HBaseServerException if it does not start; the message holds the end of its log
   * @throws IOException if its folder cannot be filled or its process not started
   */
  public HBaseServer start(HBaseInstall install) throws IOException {
    for (int attempt = 1; ; attempt++) {
      HBaseServer server = launch(install);
      try {
        launchListener.launched(server);
        server.awaitReady(START_LIMIT);
        return server;
      } catch (IOException | RuntimeException e) {
        boolean portTaken = LogTail.newestWith(server.log(), PORT_TAKEN).isPresent();
        server.kill9();
        if (!portTaken || attempt == START_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private HBaseServer launch(HBaseInstall install) throws IOException {
    ServerPorts ports =
        joined != null ? joined.ports().oneMoreRegionServer() : ServerPorts.standalone();
    List<Path> droppedIn = new ArrayList<>(extraJars);
    if (withDropIn) {
      droppedIn.add(install.dropInJar());
    }
    Map<String, String> site = baseSettings(ports);
    site.putAll(settings);
    folder.fill(install, droppedIn, site);
    String mainClass =
        joined != null
            ? "org.apache.hadoop.hbase.regionserver.HRegionServer"
            : "org.apache.hadoop.hbase.master.HMaster";
    JavaProcess process =
        JavaProcess.start(
            folder.path(),
            folder.classPath(install),
            allJvmFlags(),
            List.of(mainClass, "start"),
            folder.log());
    return new HBaseServer(folder, ports, dataDirectory, process, joined == null);
  }

  private List<String> allJvmFlags() {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "-Xmx" + heap.bytes(),
                "-XX:MaxDirectMemorySize=" + directMemory.bytes(),
                "-Djava.io.tmpdir=" + folder.temporary(),
                "-Djava.net.preferIPv4Stack=true",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED"));
    flags.addAll(jvmFlags);
    return flags;
  }

  /** Gets to know a server whose process runs. */
  @FunctionalInterface
  interface LaunchListener {

    /** Takes the server; the start fails if this does. */
    void launched(HBaseServer server) throws IOException;
  }

  private Map<String, String> baseSettings(ServerPorts ports) {
    Map<String, String> base = new LinkedHashMap<>();
    base.put("hbase.rootdir", dataDirectory.resolve("hbase").toUri().toString());
    base.put("hbase.tmp.dir", folder.temporary().toString());
    base.put("hbase.zookeeper.property.dataDir", dataDirectory.resolve("zookeeper").toString());
    base.put("hbase.zookeeper.property.clientPort", Integer.toString(ports.zooKeeper()));
    base.put("hbase.zookeeper.quorum", "127.0.0.1");
    base.put("hbase.cluster.distributed", Boolean.toString(joined != null));
    // The local file system cannot promise what a write-ahead log needs to survive a crash of the
    // machine.
    base.put("hbase.unsafe.stream.capability.enforce", "false");
    base.put("hbase.wal.provider", "filesystem");
    base.put("hbase.master.hostname", "localhost");
    base.put("hbase.regionserver.hostname", "localhost");
    base.put("hbase.master.port", "0");
    base.put("hbase.regionserver.port", "0");
    base.put("hbase.master.info.port", Integer.toString(ports.masterInfo()));
    base.put("hbase.master.info.bindAddress", "127.0.0.1");
    base.put("hbase.regionserver.info.port", Integer.toString(ports.regionServerInfo()));
    base.put("hbase.regionserver.info.bindAddress", "127.0.0.1");
    // Nobody else comes to take a share of the regions: do not wait for them.
    base.put("hbase.master.wait.on.regionservers.maxtostart", "1");
    base.put("hbase.regionserver.msginterval", "1000");
    // Counters that are read over JMX shall be a second old, not fifteen.
    base.put("hbase.regionserver.metrics.period", "1000");
    return base;
  }
}
