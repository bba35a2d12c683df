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

import dev.terrace.hbase.checks.EntryKeys;
import dev.terrace.hbase.checks.ServerProcess;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.SiteValues;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** HBase's folder, and the class path that {@code bin/hbase} makes of it. */
final class HBaseHome {

  private static final Pattern SERVER = Pattern.compile("hbase-server-(\\d.*?)(-tests)?\\.jar");
  private static final Pattern COMMON = Pattern.compile("hbase-common-(\\d.*?)\\.jar");
  private static final Pattern HADOOP = Pattern.compile("hadoop-common-(\\d.*?)(-tests)?\\.jar");
  private static final Pattern TERRACE = Pattern.compile("terrace-hbase-(\\d.*?)\\.jar");

  /** From this one on, HBase on Hadoop 2 does not start. */
  private static final int FIRST_JAVA_WITHOUT_HADOOP_2 = 24;

  private static final String OURS = "dev.terrace.";
  private static final Map<String, String> TERRACES =
      Map.of(
          EntryKeys.REGION_SERVER_CLASS, EntryKeys.TERRACE_REGION_SERVER,
          EntryKeys.COPROCESSOR, EntryKeys.TERRACE_COPROCESSOR,
          EntryKeys.EXTERNAL_CACHE, EntryKeys.TERRACE_CACHE);

  private final Path folder;
  private final List<Path> jars;

  private HBaseHome(Path folder, List<Path> jars) {
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

  private static List<Path> jars(Path lib) throws UnreadableConfException {
    if (!Files.isDirectory(lib)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(lib)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UnreadableConfException(lib + " cannot be read: " + e, e);
    }
  }

  private List<String> versions(Pattern name) {
    return jars.stream()
        .map(file -> name.matcher(file.getFileName().toString()))
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .distinct()
        .toList();
  }

  /** Those that {@code bin/hbase} sets by itself. */
  Map<String, String> systemProperties(EnvScript script) {
    return Map.of(
        "hbase.home.dir",
        folder.toString(),
        "hbase.log.dir",
        script.get("HBASE_LOG_DIR").orElse(folder.resolve("logs").toString()),
        "hbase.id.str",
        script.get("HBASE_IDENT_STRING").orElse(System.getProperty("user.name")));
  }

  Optional<String> version() {
    return versions(SERVER).stream().findFirst();
  }

  /** Whether Hadoop is of version 2; empty if its jar is elsewhere. */
  Optional<Boolean> isOnHadoop2() {
    return versions(HADOOP).stream().findFirst().map(version -> version.startsWith("2."));
  }

  /** Whether the server's jar has {@link ServerProcess#TAKES_CACHES_APART}. */
  boolean takesCachesApart() {
    return has(
        jars.stream()
            .filter(jar -> SERVER.matcher(jar.getFileName().toString()).matches())
            .toList(),
        ServerProcess.TAKES_CACHES_APART);
  }

  /** Adds Hadoop's own values. */
  void readHadoopDefaults(SiteFile site) throws UnreadableConfException {
    read(HADOOP, "core-default.xml", site);
  }

  /** Adds HBase's own values. */
  void readDefaults(SiteFile site) throws UnreadableConfException {
    read(COMMON, "hbase-default.xml", site);
  }

  private void read(Pattern jar, String name, SiteFile site) throws UnreadableConfException {
    for (Path file : jars) {
      if (jar.matcher(file.getFileName().toString()).matches()) {
        try (ZipFile zip = new ZipFile(file.toFile())) {
          ZipEntry entry = zip.getEntry(name);
          if (entry != null) {
            try (InputStream in = zip.getInputStream(entry)) {
              site.read(in, file.resolve(name));
            }
            return;
          }
        } catch (IOException e) {
          throw new UnreadableConfException(file + " cannot be read: " + e, e);
        }
      }
    }
  }

  /** Faults of the jars, and of the classes that the configuration names. */
  List<Finding> findings(SiteValues site, EnvScript script, int javaVersion)
      throws UnreadableConfException {
    List<Finding> findings = new ArrayList<>();
    List<String> terrace = versions(TERRACE);
    Path lib = folder.resolve("lib");
    if (terrace.size() > 1) {
      findings.add(
          Finding.warning(
              lib + " has Terrace in the versions " + String.join(" and ", terrace),
              "The class path has no order, so either of them may run, or a mixture.",
              "remove all but one"));
    }
    if (isOnHadoop2().orElse(false) && javaVersion >= FIRST_JAVA_WITHOUT_HADOOP_2) {
      findings.add(
          Finding.error(
              "Java " + javaVersion + " with Hadoop " + versions(HADOOP).get(0),
              "Hadoop 2 uses what Java " + FIRST_JAVA_WITHOUT_HADOOP_2 + " has removed.",
              "set JAVA_HOME in hbase-env.sh to Java 17 or 21, or run HBase on Hadoop 3"));
    }
    findings.addAll(ofClasses(site, script));
    return findings;
  }

  private List<Finding> ofClasses(SiteValues site, EnvScript script)
      throws UnreadableConfException {
    List<Finding> findings = new ArrayList<>();
    List<Path> classPath = classPath(script);
    boolean isTerraceThere = has(classPath, EntryKeys.TERRACE_REGION_SERVER);
    List<String> keys =
        new ArrayList<>(List.of(EntryKeys.REGION_SERVER_CLASS, EntryKeys.COPROCESSOR));
    if (site.isTrue(EntryKeys.USE_EXTERNAL)) {
      keys.add(EntryKeys.EXTERNAL_CACHE);
    }
    for (String key : keys) {
      for (String name : EntryKeys.classes(site, key)) {
        if (!has(classPath, name)) {
          findings.add(absent(key, name, script.isKnown(), isTerraceThere));
        }
      }
    }
    return findings;
  }

  private Finding absent(String key, String name, boolean isScriptKnown, boolean isTerraceThere) {
    String what = key + " names " + name + ", which is in no jar of " + folder.resolve("lib");
    if (!name.startsWith(OURS) || !isScriptKnown) {
      return Finding.question(
          what,
          "The region server does not start without that class.",
          "see that it is on the class path, such as by HBASE_CLASSPATH, or among Hadoop's jars");
    }
    String remedy =
        isTerraceThere
            ? "write " + TERRACES.get(key)
            : "copy terrace-hbase-VERSION.jar into that folder, or name it in HBASE_CLASSPATH";
    return Finding.error(what, "The region server does not start without that class.", remedy);
  }

  /** The jars and folders of the class path, but those of Hadoop's own. */
  private List<Path> classPath(EnvScript script) throws UnreadableConfException {
    List<Path> all = new ArrayList<>(jars);
    all.addAll(jars(folder.resolve("lib").resolve("client-facing-thirdparty")));
    for (String variable : List.of("HBASE_CLASSPATH", "HBASE_CLASSPATH_PREFIX")) {
      for (String entry : script.get(variable).orElse("").split(":", -1)) {
        if (entry.endsWith("/*")) {
          all.addAll(jars(Path.of(entry.substring(0, entry.length() - 1))));
        } else if (!entry.isEmpty()) {
          all.add(Path.of(entry));
        }
      }
    }
    return all;
  }

  private static boolean has(List<Path> classPath, String className) {
    String file = className.replace('.', '/') + ".class";
    return classPath.stream().anyMatch(entry -> has(entry, file));
  }

  private static boolean has(Path entry, String file) {
    if (Files.isDirectory(entry)) {
      return Files.exists(entry.resolve(file));
    }
    try (ZipFile zip = new ZipFile(entry.toFile())) {
      return zip.getEntry(file) != null;
    } catch (IOException e) {
      // Java finds no class there, either.
      return false;
    }
  }

  @Override
  public String toString() {
    return version().orElse("of unknown version") + ", in " + folder;
  }
}
