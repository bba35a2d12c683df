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
package dev.terrace.bench.versions;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * An HBase on a Java.
 *
 * @param hbase version of HBase
 * @param hadoop version of Hadoop's jars; empty for the one that this HBase asks for
 * @param javaHome folder of the JDK or JRE
 * @param java its version, such as 17
 */
record Combination(String hbase, String hadoop, Path javaHome, int java) {

  /** All versions that resolve whole, but for those between them. */
  private static final List<String> HBASE =
      List.of("2.5.13-hadoop3", "2.6.4", "2.6.4-hadoop3", "3.0.0-alpha-4");

  /** Starts on a Java without Subject.getSubject, and is not the one that an HBase asks for. */
  private static final String HADOOP_FOR_NEW_JAVA = "3.4.3";

  private static final int FIRST_NEW_JAVA = 23;

  /** Returns all combinations of a Java; a 2.6.4 for Hadoop 2 has no jars of Hadoop 3. */
  static List<Combination> of(Path javaHome) throws IOException {
    int java = javaVersion(javaHome);
    List<Combination> all = new ArrayList<>();
    for (String hbase : HBASE) {
      all.add(new Combination(hbase, "", javaHome, java));
      if (java >= FIRST_NEW_JAVA && !hbase.equals("2.6.4")) {
        all.add(new Combination(hbase, HADOOP_FOR_NEW_JAVA, javaHome, java));
      }
    }
    return all;
  }

  private static int javaVersion(Path javaHome) throws IOException {
    Properties release = new Properties();
    try (Reader in = Files.newBufferedReader(javaHome.resolve("release"))) {
      release.load(in);
    }
    String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
    try {
      return Runtime.Version.parse(version).feature();
    } catch (IllegalArgumentException e) {
      throw new IOException(javaHome + "/release has no JAVA_VERSION: '" + version + "'", e);
    }
  }

  /** Returns the name of its HBase, also of the folder that has it. */
  String home() {
    return hadoop.isEmpty() ? hbase : hbase + "-with-hadoop-" + hadoop;
  }

  @Override
  public String toString() {
    return "HBase "
        + hbase
        + (hadoop.isEmpty() ? "" : " with Hadoop " + hadoop)
        + " on Java "
        + java;
  }
}
