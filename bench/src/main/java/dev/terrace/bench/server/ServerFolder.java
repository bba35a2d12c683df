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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;

/**
 * The folder of one server: {@code conf/}, {@code lib/} and {@code server.log}, as in an unpacked
 * HBase. {@code lib/} links to the jars of HBase and holds a copy of each jar that is dropped in.
 */
record ServerFolder(Path path) {

  Path conf() {
    return path.resolve("conf");
  }

  Path lib() {
    return path.resolve("lib");
  }

  Path temporary() {
    return path.resolve("tmp");
  }

  Path log() {
    return path.resolve("server.log");
  }

  /** Fills the folder. Replaces what an earlier server left in it, except for the log. */
  void fill(HBaseInstall install, List<Path> droppedIn, Map<String, String> site)
      throws IOException {
    Files.createDirectories(conf());
    Files.createDirectories(temporary());
    Configuration settings = new Configuration(false);
    site.forEach(settings::set);
    try (OutputStream xml = Files.newOutputStream(conf().resolve("hbase-site.xml"))) {
      settings.writeXml(xml);
    }
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

  /** Returns the class path: configuration, web pages, and the jars in the order of their names. */
  List<Path> classPath(HBaseInstall install) throws IOException {
    try (Stream<Path> jars = Files.list(lib())) {
      return Stream.concat(Stream.of(conf(), install.webappsRoot()), jars.sorted()).toList();
    }
  }
}
