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
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A folder of configuration, beside the folder {@code lib} of an HBase that has only names. */
final class ConfOnDisk {

  private final Path home;
  private final StringBuilder properties = new StringBuilder();

  ConfOnDisk(Path home) throws IOException {
    this.home = home;
    Files.createDirectories(conf());
    Files.createDirectories(home.resolve("lib"));
  }

  /** The folder for {@code --conf}. */
  Path conf() {
    return home.resolve("conf");
  }

  /** Makes a jar without contents. */
  void jar(String name) throws IOException {
    Files.createFile(home.resolve("lib").resolve(name));
  }

  /** Makes a jar that has one class without contents. */
  void jar(String name, String className) throws IOException {
    try (OutputStream file = Files.newOutputStream(home.resolve("lib").resolve(name));
        ZipOutputStream jar = new ZipOutputStream(file)) {
      jar.putNextEntry(new ZipEntry(className.replace('.', '/') + ".class"));
    }
  }

  /** Adds a property to hbase-site.xml. */
  void set(String key, Object value) throws IOException {
    properties.append(
        "<property><name>%s</name><value>%s</value></property>%n".formatted(key, value));
    Files.writeString(
        conf().resolve("hbase-site.xml"), "<configuration>" + properties + "</configuration>");
  }

  /** Writes hbase-env.sh. */
  void env(String script) throws IOException {
    Files.writeString(conf().resolve("hbase-env.sh"), script);
  }

  /** A Java home of some version. */
  Path java(String version) throws IOException {
    Path java = Files.createDirectories(home.resolve("java-" + version));
    Files.writeString(
        java.resolve("release"), "IMPLEMENTOR=\"any\"\nJAVA_VERSION=\"" + version + "\"\n");
    return java;
  }

  /** A region server's files without a fault: a DRAM tier of 8 GB, and enough memory for it. */
  void makeGood() throws IOException {
    jar("hbase-server-2.6.4.jar");
    jar("hbase-server-2.6.4-tests.jar");
    jar("hadoop-common-3.4.1.jar");
    jar("terrace-hbase-0.1.0.jar");
    set("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    set("hbase.terrace.dram.size", "8g");
    env(
        "export JAVA_HOME="
            + java("17.0.12")
            + "\nexport HBASE_HEAPSIZE=4g\nexport HBASE_OFFHEAPSIZE=9g\n");
  }
}
