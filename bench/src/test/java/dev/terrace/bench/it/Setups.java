// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import dev.terrace.bench.server.Daemon.Jvm;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.ServerSetup;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.IOUtils;

/** Setups, folders and ends of the servers of tests. */
final class Setups {

  private static final long HEAP = 512L << 20;

  private Setups() {}

  /** HBase with Terrace's jar. */
  static ServerSetup terrace(String name, long directMemory, Map<String, String> settings) {
    return new ServerSetup(name, name, true, quick(directMemory), settings);
  }

  /** HBase as released. */
  static ServerSetup plain(String name, Map<String, String> settings) {
    return new ServerSetup(name, name, false, quick(1024L << 20), settings);
  }

  /** These servers are gone before the slower compiler and G1's threads have paid off. */
  private static Jvm quick(long directMemory) {
    return new Jvm(HEAP, directMemory, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
  }

  /** The folder of a test that stays for a look at it. */
  static Path emptyFolder(String test) throws IOException {
    Path folder = HBaseInstall.home().resolve("bench/target/it").resolve(test).toAbsolutePath();
    FileUtils.deleteDirectory(folder.toFile());
    return Files.createDirectories(folder);
  }

  /** Writes a jar of classes of the tests, for a server's {@code lib/}. */
  static Path jar(Path file, Class<?>... classes) throws IOException {
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      for (Class<?> each : classes) {
        String name = each.getName().replace('.', '/') + ".class";
        jar.putNextEntry(new JarEntry(name));
        try (InputStream bytes = each.getClassLoader().getResourceAsStream(name)) {
          bytes.transferTo(jar);
        }
      }
    }
    return file;
  }

  /** Starts a server of the build's HBase. */
  static HBaseServer start(ServerSetup setup, Path folder) throws IOException {
    return HBaseServer.start(HBaseInstall.in(HBaseInstall.home()), setup, folder);
  }

  /** Closes clients, and kills a server; each may be null. */
  static void stop(HBaseServer server, Closeable... clients) throws IOException {
    IOUtils.close(clients);
    if (server != null) {
      server.kill();
    }
  }
}
