// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A folder of configuration in the folder of an HBase, whose jars are those of the test. */
public final class ConfOnDisk {

  /** Does what {@code bin/hbase} does for a class. */
  private static final Path LAUNCHER = Path.of("src/test/sh/hbase.sh");

  private static final String HBASE_JARS =
      Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
          .filter(entry -> entry.endsWith(".jar") && !entry.matches(".*/(terrace|picocli|jna)-.*"))
          .collect(Collectors.joining(File.pathSeparator));

  private final Path home;
  private final Map<String, String> properties = new LinkedHashMap<>();

  public ConfOnDisk(Path home) throws IOException {
    this.home = home;
    Files.createDirectories(conf());
    Files.createDirectories(home.resolve("lib"));
  }

  /** The folder for {@code --conf}. */
  public Path conf() {
    return home.resolve("conf");
  }

  /** Makes a jar of some classes without contents. */
  public void jar(String name, String... classes) throws IOException {
    try (ZipOutputStream jar =
        new ZipOutputStream(Files.newOutputStream(home.resolve("lib").resolve(name)))) {
      for (String each : classes) {
        jar.putNextEntry(new ZipEntry(each.replace('.', '/') + ".class"));
      }
    }
  }

  /** Makes a jar of Terrace with the classes that a configuration names. */
  void terrace(String version) throws IOException {
    jar(
        "terrace-hbase-" + version + ".jar",
        "dev.terrace.hbase.TerraceRegionServer",
        "dev.terrace.hbase.TerraceCoprocessor",
        "dev.terrace.hbase.TieredBlockCache");
  }

  /** Sets a property in hbase-site.xml. */
  public void set(String key, Object value) throws IOException {
    properties.put(key, value.toString());
    write("");
  }

  /** Adds to hbase-site.xml, behind what was set. */
  public void write(String xml) throws IOException {
    StringBuilder all = new StringBuilder("<configuration>");
    properties.forEach(
        (key, value) ->
            all.append(
                "<property><name>%s</name><value>%s</value></property>%n".formatted(key, value)));
    Files.writeString(conf().resolve("hbase-site.xml"), all + xml + "</configuration>");
  }

  /** Writes hbase-env.sh. */
  public void env(String script) throws IOException {
    Files.writeString(
        conf().resolve("hbase-env.sh"),
        "export JAVA_HOME=" + System.getProperty("java.home") + "\n" + script);
  }

  /** Makes the part of {@code bin/hbase} that doctor needs. */
  public void launcher() throws IOException {
    Path script = Files.createDirectories(home.resolve("bin")).resolve("hbase");
    Files.writeString(
        script, Files.readString(LAUNCHER).replace("more=\n", "more=" + HBASE_JARS + "\n"));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A region server's files without a fault: a DRAM tier of 8 GB, and enough memory for it. */
  public void makeGood() throws IOException {
    terrace("0.1.0");
    set("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    set("hbase.terrace.dram.size", "8g");
    env("export HBASE_HEAPSIZE=4g\nexport HBASE_OFFHEAPSIZE=9g\n");
  }
}
