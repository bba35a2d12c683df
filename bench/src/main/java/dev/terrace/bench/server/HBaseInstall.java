// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionInfo;

/**
 * An HBase to run: the contents of its {@code lib/}, its web pages, and Terrace's drop-in jar. The
 * build of module bench lays it out.
 *
 * @param jars every jar of HBase's class path, sorted by name
 * @param webappsRoot folder that holds {@code hbase-webapps/}
 * @param dropInJar the jar that an operator copies into HBase's {@code lib/}
 */
public record HBaseInstall(List<Path> jars, Path webappsRoot, Path dropInJar) {

  private static final String HOME_PROPERTY = "terrace.home";
  private static final String HBASE_PROPERTY = "terrace.hbase";

  /** The newest Java that every Hadoop starts on: later ones lack Subject.getSubject. */
  private static final int NEWEST_JAVA_OF_EACH_HADOOP = 22;

  /** Present only in a Hadoop that works without Subject.getSubject. */
  private static final String HADOOP_FOR_NEW_JAVA =
      "org/apache/hadoop/security/authentication/util/SubjectUtil.class";

  public HBaseInstall {
    jars = List.copyOf(jars);
  }

  /**
   * Returns the top folder of the project: the one that the system property {@code terrace.home}
   * names, or else the nearest one at or above the working directory that has the build's output.
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
      if (Files.isDirectory(folder.resolve("bench/target/hbase/lib"))) {
        return folder;
      }
    }
    throw new IOException(
        "no folder at or above "
            + start
            + " holds bench/target/hbase/lib; build it: ./mvnw -DskipTests package");
  }

  /**
   * Returns what the build made below the top folder, with the HBase in the folder that the system
   * property {@code terrace.hbase} names, if it is set. An IOException says how to build it.
   */
  public static HBaseInstall in(Path home) throws IOException {
    String other = System.getProperty(HBASE_PROPERTY);
    return in(home, other != null ? Path.of(other) : home.resolve("bench/target/hbase"));
  }

  private static HBaseInstall in(Path home, Path hbase) throws IOException {
    List<Path> jars = jarsIn(hbase.resolve("lib"));
    Path webappsRoot = hbase.resolve("webapps-root");
    List<Path> dropIns =
        jarsIn(home.resolve("tiered/target")).stream().filter(HBaseInstall::isDropIn).toList();
    if (jars.isEmpty() || dropIns.size() != 1 || !Files.isDirectory(webappsRoot)) {
      throw new IOException(
          String.format(
              "%s is not built, or built in parts: %d jars in %s/lib, drop-in jars"
                  + " in tiered/target: %s; build it: ./mvnw -DskipTests clean package",
              home, jars.size(), hbase, dropIns));
    }
    return new HBaseInstall(jars, webappsRoot, dropIns.get(0));
  }

  /** Returns the HBase with an S3 client that the build made. */
  public static HBaseInstall overS3() throws IOException {
    return in(home(), home().resolve("bench/target/hbase-s3"));
  }

  /** Returns the class path of the S3 server that the build made. */
  public static List<Path> s3Proxy() throws IOException {
    return jarsIn(home().resolve("bench/target/s3proxy/lib"));
  }

  /** Returns the jar of the tools that the build made. */
  public static Path tools() throws IOException {
    Path target = home().resolve("tiered/tools/target");
    return jarsIn(target).stream()
        .filter(jar -> jar.getFileName().toString().matches("terrace-tools-[0-9.]+\\.jar"))
        .findFirst()
        .orElseThrow(() -> new IOException("no tools in " + target + "; build them"));
  }

  /** Returns what the build made, for a server to start on this Java. */
  public static HBaseInstall toRun() throws IOException {
    int java = Runtime.version().feature();
    if (java > NEWEST_JAVA_OF_EACH_HADOOP
        && HBaseInstall.class.getClassLoader().getResource(HADOOP_FOR_NEW_JAVA) == null) {
      throw new IOException(
          String.format(
              "Hadoop %s does not start on Java %d; set JAVA_HOME to a JDK from 17 to %d",
              VersionInfo.getVersion(), java, NEWEST_JAVA_OF_EACH_HADOOP));
    }
    return in(home());
  }

  /** Returns the folder for data and logs of a run, by default in the checkout. */
  public static Path workOr(Path directory) throws IOException {
    return directory != null ? directory : home().resolve("bench/target");
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

  /** A jar of a few of our classes, for a server's {@code lib/}. */
  public static final class ClassJar {

    private ClassJar() {}

    /** Writes classes and their nested classes to a jar in an existing folder; returns the jar. */
    public static Path write(Path jar, List<Class<?>> classes) throws IOException {
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
        for (Class<?> outer : classes) {
          for (Class<?> each : outer.getNestMembers()) {
            String file = each.getName().replace('.', '/') + ".class";
            out.putNextEntry(new JarEntry(file));
            try (InputStream in = outer.getClassLoader().getResourceAsStream(file)) {
              in.transferTo(out);
            }
            out.closeEntry();
          }
        }
      }
      return jar;
    }
  }
}
