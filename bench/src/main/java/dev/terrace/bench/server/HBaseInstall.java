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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * An HBase to run: what its {@code lib/} holds, its web pages, and Terrace's drop-in jar. The build
 * of module bench lays it out.
 *
 * @param jars every jar of HBase's class path, sorted by name
 * @param webappsRoot folder that holds {@code hbase-webapps/}
 * @param dropInJar the jar that an operator copies into HBase's {@code lib/}
 */
public record HBaseInstall(List<Path> jars, Path webappsRoot, Path dropInJar) {

  private static final String HOME_PROPERTY = "terrace.home";

  /**
   * The newest Java on which HBase 2.6 starts: later ones lack Subject.getSubject, which its Hadoop
   * calls.
   */
  private static final int NEWEST_JAVA = 22;

  public HBaseInstall {
    jars = List.copyOf(jars);
  }

  /**
   * Returns the top folder of the project: the one that the system property {@code terrace.home}
   * names, or else the nearest one at or above the working directory that has what the build made.
   *
   * @throws IOException if there is none; the message says how to build it
   */
  public static Path home() throws IOException {
    String home = System.getProperty(HOME_PROPERTY);
    if (home != null) {
      return Path.of(home);
    }
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(libIn(folder))) {
        return folder;
      }
    }
    throw new IOException(
        "no folder at or above "
            + start
            + " holds bench/target/hbase/lib; build it: ./mvnw -DskipTests package");
  }

  /** Returns what the build made below the top folder; an IOException tells how to build it. */
  public static HBaseInstall in(Path home) throws IOException {
    List<Path> jars = jarsIn(libIn(home));
    Path webappsRoot = home.resolve("bench/target/hbase/webapps-root");
    List<Path> dropIns =
        jarsIn(home.resolve("tiered/target")).stream().filter(HBaseInstall::isDropIn).toList();
    if (jars.isEmpty() || dropIns.size() != 1 || !Files.isDirectory(webappsRoot)) {
      throw new IOException(
          String.format(
              "%s is not built, or built in parts: %d jars in bench/target/hbase/lib, drop-in jars"
                  + " in tiered/target: %s; build it: ./mvnw -DskipTests clean package",
              home, jars.size(), dropIns));
    }
    return new HBaseInstall(jars, webappsRoot, dropIns.get(0));
  }

  /** Returns what the build made, for a server to start on this Java. */
  public static HBaseInstall toRun() throws IOException {
    int java = Runtime.version().feature();
    if (java > NEWEST_JAVA) {
      throw new IOException(
          String.format(
              "HBase 2.6 does not start on Java %d; set JAVA_HOME to a JDK from 17 to %d",
              java, NEWEST_JAVA));
    }
    return in(home());
  }

  /** Returns where data and logs of a run lie, by default in the checkout. */
  public static Path workOr(Path directory) throws IOException {
    return directory != null ? directory : home().resolve("bench/target");
  }

  private static Path libIn(Path home) {
    return home.resolve("bench/target/hbase/lib");
  }

  private static boolean isDropIn(Path jar) {
    String name = jar.getFileName().toString();
    return name.startsWith("terrace-hbase-") && !name.matches(".*-(sources|javadoc|tests)\\.jar");
  }

  private static List<Path> jarsIn(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }
}
