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
package dev.terrace.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A folder of configuration, beside the folder {@code lib} of an HBase that has only names. */
final class ConfOnDisk {

  private final Path home;
  private final Map<String, String> properties = new LinkedHashMap<>();

  ConfOnDisk(Path home) throws IOException {
    this.home = home;
    Files.createDirectories(conf());
    Files.createDirectories(home.resolve("lib"));
  }

  /** The folder for {@code --conf}. */
  Path conf() {
    return home.resolve("conf");
  }

  /** Makes a jar of some classes without contents. */
  void jar(String name, String... classes) throws IOException {
    try (ZipOutputStream jar = jarNamed(name)) {
      for (String each : classes) {
        jar.putNextEntry(new ZipEntry(each.replace('.', '/') + ".class"));
      }
    }
  }

  /** Makes a jar of a file. */
  void jarOf(String name, String file, String text) throws IOException {
    try (ZipOutputStream jar = jarNamed(name)) {
      jar.putNextEntry(new ZipEntry(file));
      jar.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private ZipOutputStream jarNamed(String name) throws IOException {
    return new ZipOutputStream(Files.newOutputStream(home.resolve("lib").resolve(name)));
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
  void set(String key, Object value) throws IOException {
    properties.put(key, value.toString());
    write("");
  }

  /** Adds to hbase-site.xml, behind what was set. */
  void write(String xml) throws IOException {
    StringBuilder all = new StringBuilder("<configuration>");
    properties.forEach(
        (key, value) ->
            all.append(
                "<property><name>%s</name><value>%s</value></property>%n".formatted(key, value)));
    Files.writeString(conf().resolve("hbase-site.xml"), all + xml + "</configuration>");
  }

  /** Writes hbase-env.sh. */
  void env(String script) throws IOException {
    Path file = conf().resolve("hbase-env.sh");
    Files.writeString(file, script);
    // As root, doctor runs no script that others can write.
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
  }

  /** A Java home of some version. */
  Path java(String version) throws IOException {
    Path java = Files.createDirectories(home.resolve("java-" + version));
    Files.writeString(
        java.resolve("release"), "IMPLEMENTOR=\"any\"\nJAVA_VERSION=\"" + version + "\"\n");
    Path binary = Files.createDirectories(java.resolve("bin")).resolve("java");
    if (Files.notExists(binary)) {
      Files.createFile(
          binary,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }
    return java;
  }

  /** A region server's files without a fault: a DRAM tier of 8 GB, and enough memory for it. */
  void makeGood() throws IOException {
    jar("hbase-server-2.6.4.jar");
    jar("hbase-server-2.6.4-tests.jar");
    jar("hadoop-common-3.4.1.jar");
    terrace("0.1.0");
    set("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    set("hbase.terrace.dram.size", "8g");
    env(
        "export JAVA_HOME="
            + java("17.0.12")
            + "\nexport HBASE_HEAPSIZE=4g\nexport HBASE_OFFHEAPSIZE=9g\n");
  }
}
