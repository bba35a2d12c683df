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

import dev.terrace.bench.cli.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;

/**
 * The folder of one process of HBase or HDFS: {@code conf/}, {@code lib/} and {@code server.log},
 * as in an unpacked HBase. {@code lib/} links to HBase's jars and holds a copy of each jar that is
 * dropped in.
 */
public record ServerFolder(Path path) {

  /** Returns the file with all output of the process. */
  public Path log() {
    return path.resolve("server.log");
  }

  /** Returns the folder for temporary files. */
  public Path temporary() {
    return path.resolve("tmp");
  }

  /** Fills the folder. Replaces what an earlier process left in it, except for the log. */
  public void fill(HBaseInstall install, List<Path> droppedIn) throws IOException {
    Files.createDirectories(conf());
    Files.createDirectories(temporary());
    for (String name : List.of("log4j.properties", "hadoop-metrics2-hbase.properties")) {
      try (InputStream in = ServerFolder.class.getResourceAsStream("hbase-conf/" + name)) {
        Files.copy(in, conf().resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    FileUtils.deleteDirectory(lib().toFile());
    Files.createDirectories(lib());
    for (Path jar : install.jars()) {
      Files.createSymbolicLink(lib().resolve(jar.getFileName()), jar.toAbsolutePath());
    }
    for (Path jar : droppedIn) {
      Files.copy(jar, lib().resolve(jar.getFileName()));
    }
  }

  /**
   * Writes a file of settings, such as {@code hbase-site.xml}; replaces an older one as a whole.
   */
  public void configure(String file, Map<String, String> site) throws IOException {
    Configuration settings = new Configuration(false);
    site.forEach(settings::set);
    Path written = path.resolve(file + ".new");
    try (OutputStream xml = Files.newOutputStream(written)) {
      settings.writeXml(xml);
    }
    Files.move(written, conf().resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Starts a class of HBase or HDFS with this folder's jars and settings.
   *
   * @param directMemory limit of the memory that the JVM allocates outside the heap
   * @param memory limit of its memory together with the page cache that it fills, if it has one
   */
  public JavaProcess start(
      HBaseInstall install,
      ByteSize heap,
      ByteSize directMemory,
      List<String> jvmFlags,
      Optional<ByteSize> memory,
      List<String> mainAndArguments)
      throws IOException {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "-Xmx" + heap.bytes(),
                // A heap that grows in the middle of a run would be measured with it.
                "-Xms" + heap.bytes(),
                "-XX:MaxDirectMemorySize=" + directMemory.bytes(),
                "-Djava.io.tmpdir=" + temporary(),
                "-Djava.net.preferIPv4Stack=true",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED"));
    flags.addAll(jvmFlags);
    return JavaProcess.start(path, classPath(install), flags, mainAndArguments, log(), memory);
  }

  /** Returns the class path: configuration, web pages, and the jars in the order of their names. */
  private List<Path> classPath(HBaseInstall install) throws IOException {
    try (Stream<Path> jars = Files.list(lib())) {
      return Stream.concat(Stream.of(conf(), install.webappsRoot()), jars.sorted()).toList();
    }
  }

  public Path conf() {
    return path.resolve("conf");
  }

  private Path lib() {
    return path.resolve("lib");
  }
}
