// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** A NameNode and DataNodes, each in a process of its own. */
public final class Hdfs {

  /** HBase's own web pages, which NameNode and DataNodes need and the registry lacks. */
  private static final List<String> WEB_APPS = List.of("hdfs", "datanode", "static");

  private static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
  private static final Duration START_LIMIT = Duration.ofMinutes(4);

  private final HBaseInstall install;
  private final RunFolders folders;
  private final int port;
  private final int size;
  private final Daemon.Jvm jvm;
  private final List<Daemon> dataNodes = new ArrayList<>();
  private Daemon nameNode;

  /**
   * An HDFS that is not started.
   *
   * @param port of the NameNode
   * @param size number of DataNodes
   * @param jvm of each process
   */
  public Hdfs(HBaseInstall install, RunFolders folders, int port, int size, Daemon.Jvm jvm) {
    this.install = install;
    this.folders = folders;
    this.port = port;
    this.size = size;
    this.jvm = jvm;
  }

  public Map<String, String> clientSettings() {
    return Map.of(
        "fs.defaultFS", "hdfs://127.0.0.1:" + port,
        "dfs.replication", Integer.toString(Math.min(2, size)),
        // A client waits for a restarted NameNode, and does not give up after 10 s.
        "dfs.client.retry.policy.enabled", "true",
        "dfs.client.retry.policy.spec", "1000,60,5000,60",
        // As HBase's guide recommends for short recoveries.
        "dfs.client.socket-timeout", "10000",
        "dfs.datanode.socket.write.timeout", "10000",
        // No third DataNode could replace a failed one.
        "dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
  }

  /** Formats and starts it; waits for all DataNodes. */
  public void start() throws IOException {
    Daemon format = daemon("namenode", NAME_NODE, "-format").start();
    if (!format.awaitEnd(START_LIMIT) || format.exitValue() != 0) {
      throw format.failure("did not do its work");
    }
    nameNode = daemon("namenode", NAME_NODE).start();
    nameNode.await("it listened", START_LIMIT, () -> answers(port));
    for (int i = 1; i <= size; i++) {
      dataNodes.add(
          daemon("datanode" + i, "org.apache.hadoop.hdfs.server.datanode.DataNode").start());
    }
    awaitAtWork();
  }

  /** Waits until the NameNode allows writes and all DataNodes that it knows serve. */
  public void awaitAtWork() throws IOException {
    try (FileSystem files = connect()) {
      DistributedFileSystem hdfs = (DistributedFileSystem) files;
      for (Daemon daemon : dataNodes) {
        daemon.await("all of HDFS was at work", START_LIMIT, () -> isAtWork(hdfs));
      }
    }
  }

  /** Connects a client; the caller closes it. */
  public FileSystem connect() throws IOException {
    Configuration client = new Configuration();
    clientSettings().forEach(client::set);
    return FileSystem.newInstance(client);
  }

  /** Copies a local folder to the root; returns its new path. */
  public String copy(String folder) throws IOException {
    Path local = new Path(folder);
    try (FileSystem files = connect()) {
      Path copied = files.makeQualified(new Path("/", local.getName()));
      files.copyFromLocalFile(local, copied);
      return copied.toString();
    }
  }

  /** A DataNode gets a new port at each start; the NameNode knows the last one. */
  private boolean isAtWork(DistributedFileSystem hdfs) throws IOException {
    DatanodeInfo[] live = hdfs.getDataNodeStats(DatanodeReportType.LIVE);
    for (DatanodeInfo node : live) {
      if (!answers(node.getXferPort())) {
        return false;
      }
    }
    return live.length == size && !hdfs.isInSafeMode();
  }

  public Daemon nameNode() {
    return nameNode;
  }

  public List<Daemon> dataNodes() {
    return List.copyOf(dataNodes);
  }

  private Daemon daemon(String name, String... command) throws IOException {
    Daemon daemon = new Daemon(install, folders.server(name), jvm, List.of(), command);
    for (String app : WEB_APPS) {
      Files.createDirectories(daemon.conf().resolve("webapps").resolve(app));
    }
    Map<String, String> settings = new TreeMap<>(clientSettings());
    settings.put("dfs.namenode.name.dir", folders.data(name).toString());
    settings.put("dfs.datanode.data.dir", folders.data(name).toString());
    settings.put("dfs.namenode.http-address", "127.0.0.1:0");
    settings.put("dfs.datanode.address", "127.0.0.1:0");
    settings.put("dfs.datanode.ipc.address", "127.0.0.1:0");
    settings.put("dfs.datanode.http.address", "127.0.0.1:0");
    settings.put("dfs.namenode.safemode.extension", "0");
    settings.put("dfs.namenode.avoid.read.stale.datanode", "true");
    settings.put("dfs.namenode.avoid.write.stale.datanode", "true");
    settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    settings.put("hadoop.tmp.dir", daemon.temporary().toString());
    // Hadoop's own defaults for HDFS come after core-site.xml and would win over it.
    return daemon.configure("core-site.xml", clientSettings()).configure("hdfs-site.xml", settings);
  }

  /** Returns whether a local port is listened on. */
  public static boolean answers(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    }
  }

  public void kill9() {
    dataNodes.forEach(Daemon::kill);
    Stream.ofNullable(nameNode).forEach(Daemon::kill);
  }
}
