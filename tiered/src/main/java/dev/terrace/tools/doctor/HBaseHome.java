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
package dev.terrace.tools.doctor;

import dev.terrace.hbase.checks.ServerProcess;
import dev.terrace.hbase.settings.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** The jars in the folder {@code lib} of an HBase. */
final class HBaseHome {

  private static final Pattern SERVER = Pattern.compile("hbase-server-(\\d.*?)(-tests)?\\.jar");
  private static final Pattern HADOOP = Pattern.compile("hadoop-common-(\\d.*?)(-tests)?\\.jar");
  private static final Pattern TERRACE = Pattern.compile("terrace-hbase-(\\d.*?)\\.jar");

  /** From this one on, HBase on Hadoop 2 does not start. */
  private static final int FIRST_JAVA_WITHOUT_HADOOP_2 = 24;

  private final Path folder;
  private final List<String> jars;

  private HBaseHome(Path folder, List<String> jars) {
    this.folder = folder;
    this.jars = jars;
  }

  /** The first of some folders that has the jar of HBase's server. */
  static Optional<HBaseHome> of(List<Path> folders) throws UnreadableConfException {
    for (Path folder : folders) {
      HBaseHome home = new HBaseHome(folder, jars(folder.resolve("lib")));
      if (home.version().isPresent()) {
        return Optional.of(home);
      }
    }
    return Optional.empty();
  }

  private static List<String> jars(Path lib) throws UnreadableConfException {
    if (!Files.isDirectory(lib)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(lib)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UnreadableConfException(lib + " cannot be read: " + e, e);
    }
  }

  private List<String> versions(Pattern name) {
    return jars.stream()
        .map(name::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .distinct()
        .toList();
  }

  Optional<String> version() {
    return versions(SERVER).stream().findFirst();
  }

  /** Whether the server's jar has {@link ServerProcess#TAKES_CACHES_APART}. */
  boolean takesCachesApart() {
    String file = ServerProcess.TAKES_CACHES_APART.replace('.', '/') + ".class";
    return jars.stream()
        .filter(jar -> SERVER.matcher(jar).matches())
        .anyMatch(jar -> has(folder.resolve("lib").resolve(jar), file));
  }

  private static boolean has(Path jar, String file) {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.getEntry(file) != null;
    } catch (IOException e) {
      // Java finds no class there, either.
      return false;
    }
  }

  /** Faults of the jars. */
  List<Finding> findings(EnvScript script, int javaVersion) {
    List<Finding> findings = new ArrayList<>();
    List<String> terrace = versions(TERRACE);
    Path lib = folder.resolve("lib");
    if (terrace.isEmpty() && !script.get("HBASE_CLASSPATH").orElse("").contains("terrace")) {
      findings.add(
          Finding.warning(
              lib + " has no terrace-hbase-VERSION.jar",
              "Without it on the class path, the region server does not find the class that its"
                  + " configuration names.",
              "copy the jar into that folder, or name it in HBASE_CLASSPATH"));
    } else if (terrace.size() > 1) {
      findings.add(
          Finding.warning(
              lib + " has Terrace in the versions " + String.join(" and ", terrace),
              "The class path has no order, so either of them may run, or a mixture.",
              "remove all but one"));
    }
    Optional<String> hadoop2 =
        versions(HADOOP).stream().filter(version -> version.startsWith("2.")).findFirst();
    if (hadoop2.isPresent() && javaVersion >= FIRST_JAVA_WITHOUT_HADOOP_2) {
      findings.add(
          Finding.error(
              "Java " + javaVersion + " with Hadoop " + hadoop2.get(),
              "Hadoop 2 uses what Java " + FIRST_JAVA_WITHOUT_HADOOP_2 + " has removed.",
              "set JAVA_HOME in hbase-env.sh to Java 17 or 21, or run HBase on Hadoop 3"));
    }
    return findings;
  }

  @Override
  public String toString() {
    return version().orElse("of unknown version") + ", in " + folder;
  }
}
