// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;

/** One process of a cluster, which may be started again each time it has ended. Thread-safe. */
public class Daemon extends JavaProcess {

  private final HBaseInstall install;
  private final Path folder;
  private final Jvm jvm;
  private final List<Path> droppedIn;
  private final List<String> command;
  private long logStart;

  /**
   * Recreates the folder of a process, except for its log, and does not start it.
   *
   * @param folder gets {@code conf/}, {@code lib/} and {@code server.log}, as in an unpacked HBase;
   *     {@code lib/} links to HBase's jars and holds a copy of each jar that is dropped in
   */
  public Daemon(HBaseInstall install, Path folder, Jvm jvm, List<Path> droppedIn, String... command)
      throws IOException {
    super(folder.getFileName().toString(), folder.resolve("server.log"));
    this.install = install;
    this.folder = folder;
    this.jvm = jvm;
    this.droppedIn = droppedIn;
    this.command = List.of(command);
    Files.createDirectories(conf());
    Files.createDirectories(temporary());
    for (String file : List.of("log4j.properties", "hadoop-metrics2-hbase.properties")) {
      try (InputStream in = Daemon.class.getResourceAsStream("hbase-conf/" + file)) {
        Files.copy(in, conf().resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Path lib = folder.resolve("lib");
    FileUtils.deleteDirectory(lib.toFile());
    Files.createDirectories(lib);
    for (Path jar : install.jars()) {
      Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar.toAbsolutePath());
    }
    for (Path jar : droppedIn) {
      Files.copy(jar, lib.resolve(jar.getFileName()));
    }
  }

  /** Creates the folder of another process of this kind, and does not start it. */
  public Daemon twin(Path other) throws IOException {
    return new Daemon(install, other, jvm, droppedIn, command.toArray(String[]::new));
  }

  /**
   * The memory of a process, and more flags.
   *
   * @param memory limit of its memory together with the page cache that it fills, if it has one
   */
  public record Jvm(long heap, long directMemory, List<String> flags, OptionalLong memory) {

    public Jvm {
      flags = List.copyOf(flags);
    }

    /** Memory without a limit of the whole process. */
    public Jvm(long heap, long directMemory, String... flags) {
      this(heap, directMemory, List.of(flags), OptionalLong.empty());
    }

    /** A small heap, with direct memory for the network. */
    public static Jvm ofMebibytes(long heap) {
      return new Jvm(heap << 20, 256L << 20);
    }

    /** The same for a process that ends before C2 and G1's threads pay off. */
    public Jvm shortLived() {
      return new Jvm(
          heap,
          directMemory,
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          // Then memory that grows is not the heap's.
          "-XX:+AlwaysPreTouch",
          // Otherwise every ZooKeeper listens on port 8080.
          "-Dzookeeper.admin.enableServer=false");
    }
  }

  /**
   * Writes a settings file such as {@code hbase-site.xml} as a whole; a running process may reload
   * it.
   */
  public Daemon configure(String file, Map<String, String> site) throws IOException {
    Configuration settings = new Configuration(false);
    site.forEach(settings::set);
    Path written = folder.resolve(file + ".new");
    try (OutputStream xml = Files.newOutputStream(written)) {
      settings.writeXml(xml);
    }
    Files.move(written, conf().resolve(file), StandardCopyOption.REPLACE_EXISTING);
    return this;
  }

  public Path conf() {
    return folder.resolve("conf");
  }

  public Path temporary() {
    return folder.resolve("tmp");
  }

  public synchronized Daemon start() throws IOException {
    logStart = log().toFile().length();
    List<String> flags =
        new ArrayList<>(
            List.of(
                "-Xmx" + jvm.heap(),
                // A heap that grows during a run would be part of the measurement.
                "-Xms" + jvm.heap(),
                "-XX:MaxDirectMemorySize=" + jvm.directMemory(),
                "-Djava.io.tmpdir=" + temporary(),
                "-Djava.net.preferIPv4Stack=true",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED"));
    flags.addAll(jvm.flags());
    // Configuration, web pages, and the jars in the order of their names.
    try (Stream<Path> jars = Files.list(folder.resolve("lib"))) {
      List<Path> classPath =
          Stream.concat(Stream.of(conf(), install.webappsRoot()), jars.sorted()).toList();
      launch(folder, classPath, flags, command, jvm.memory());
    }
    return this;
  }

  /** Suspends the process: it answers nobody until {@link #resume}. */
  public void suspend() throws IOException {
    signal("STOP");
  }

  public void resume() throws IOException {
    signal("CONT");
  }

  /** Returns whether the log has had one of these texts since the last start. */
  public synchronized boolean said(String... texts) throws IOException {
    try (FileInputStream log = new FileInputStream(log().toFile())) {
      log.skipNBytes(logStart);
      return new BufferedReader(new InputStreamReader(log, StandardCharsets.UTF_8))
          .lines()
          .anyMatch(line -> Stream.of(texts).anyMatch(line::contains));
    }
  }
}
