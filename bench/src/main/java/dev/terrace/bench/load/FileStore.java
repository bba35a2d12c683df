// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.server.Daemon;
import dev.terrace.bench.server.FreePorts;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.Hdfs;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.slow.S3Server;
import dev.terrace.bench.slow.SlowProfile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The stores that hold the files of a run's servers. They become slow once caches are warm. */
public final class FileStore implements Closeable {

  private static final int HDFS_HEAP_MEBIBYTES = 256;

  private final RunFolders folders;
  private final Path slowJar;
  private final S3Server s3;
  private Hdfs hdfs;

  private FileStore(RunFolders folders, Path slowJar, S3Server s3) {
    this.folders = folders;
    this.slowJar = slowJar;
    this.s3 = s3;
  }

  /** Opens what servers need: S3 for its profile, then for all of them, or else a simulation. */
  public static FileStore open(SlowProfile profile, RunFolders folders) throws IOException {
    return profile.equals(SlowProfile.S3)
        ? new FileStore(folders, null, S3Server.start(folders.work()))
        : new FileStore(folders, SlowProfile.writeJar(folders.work()), null);
  }

  /** Returns the HBase that servers over a store run. */
  public static HBaseInstall install(SlowProfile profile) throws IOException {
    return profile.equals(SlowProfile.S3) ? HBaseInstall.overS3() : HBaseInstall.toRun();
  }

  /** Puts a server's files on a store; in a run over S3 the only other store is the local disk. */
  public ServerSetup over(SlowProfile store, ServerSetup setup) {
    Path data = folders.data(setup.name());
    // A write-ahead log is never on an object store, and if possible not on the files' disk.
    ServerSetup logged =
        setup.with(Map.of("hbase.wal.dir", data.resolve("wal").toUri().toString()));
    if (s3 != null) {
      ServerSetup tracked = logged.with(S3Server.FILES_STAY);
      return store.equals(SlowProfile.NONE)
          ? tracked
          : s3.hold(tracked, data.getFileName().toString());
    }
    return logged
        .with(List.of(slowJar))
        .with(store.forHBase(data.resolve("hbase").toString()))
        .with(Map.of(SlowProfile.WARM_UP_FILE, warmUpFile(folders, setup.name()).toString()));
  }

  /** Whether servers keep their files in S3. */
  public boolean isS3() {
    return s3 != null;
  }

  /**
   * Starts HDFS on the local disk (it must not run yet), copies the loaded files there, and puts a
   * server over them.
   */
  public ServerSetup overHdfs(ServerSetup setup) throws IOException {
    Daemon.Jvm jvm = Daemon.Jvm.ofMebibytes(HDFS_HEAP_MEBIBYTES);
    hdfs = new Hdfs(HBaseInstall.overS3(), folders, FreePorts.next(), 1, jvm);
    hdfs.start();
    String root = hdfs.copy(folders.data(RunFolders.LOADED).resolve("hbase").toString());
    return setup.with(hdfs.clientSettings()).with(Map.of("hbase.rootdir", root));
  }

  /** Makes the stores of servers fast, before these start. */
  public void makeQuick(List<ServerSetup> setups) throws IOException {
    for (ServerSetup setup : setups) {
      Files.createFile(warmUpFile(folders, setup.name()));
    }
  }

  public void makeSlow(List<LoadedServer> servers) throws IOException {
    for (LoadedServer server : servers) {
      Files.delete(warmUpFile(folders, server.setup().name()));
    }
  }

  /** While this file exists the server's store is fast, S3 included. */
  private static Path warmUpFile(RunFolders folders, String server) {
    return folders.work().resolve(server + ".warm-up");
  }

  @Override
  public void close() throws IOException {
    if (hdfs != null) {
      hdfs.kill9();
    }
    if (s3 != null) {
      s3.close();
    }
  }
}
