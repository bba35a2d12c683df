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
package dev.terrace.bench.workload;

import dev.terrace.bench.server.HBaseInstall;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import joptsimple.OptionParser;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.runner.Runner;

/**
 * How the JVMs are started that benchmarks run in: with HBase's own jars and the drop-in jar, as in
 * a region server, so that each cache runs with the libraries that it ships with.
 */
public final class BenchmarkJvm {

  /** Room for the caches that keep blocks on the heap. */
  public static final String HEAP = "-Xmx2g";

  /** Room for the caches that keep blocks in direct memory. */
  public static final String DIRECT = "-XX:MaxDirectMemorySize=3g";

  /** HBase's usual collector, also where the JVM would choose another one. */
  public static final String COLLECTOR = "-XX:+UseG1GC";

  // HBase and Netty reach into these packages by reflection.

  /** Opens java.lang. */
  public static final String OPEN_LANG = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** Opens java.nio. */
  public static final String OPEN_NIO = "--add-opens=java.base/java.nio=ALL-UNNAMED";

  /** Opens sun.nio.ch. */
  public static final String OPEN_CHANNELS = "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED";

  /** Opens jdk.internal.misc. */
  public static final String OPEN_MISC = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

  /**
   * Leak detection follows about one block in a hundred and makes its every hit expensive. Which
   * blocks, chance decides, and so it would decide the figures. Off for all caches alike.
   */
  public static final String NO_LEAK_DETECTION =
      "-Dorg.apache.hbase.thirdparty.io.netty.leakDetection.level=disabled";

  /** Nothing but errors, so that logging costs nothing; where HBase logs through reload4j. */
  public static final String RELOAD4J_ERRORS =
      "-Dlog4j.configuration=dev/terrace/bench/workload/log4j.properties";

  /** Nothing but errors, so that logging costs nothing; where HBase logs through Log4j 2. */
  public static final String LOG4J2_ERRORS =
      "-Dlog4j2.configurationFile=dev/terrace/bench/workload/log4j2.properties";

  private BenchmarkJvm() {}

  /**
   * All arguments but the class path.
   *
   * @param fileParent see {@link Scratch#FILE_PARENT_PROPERTY}
   * @param pmemParent see {@link Scratch#PMEM_PARENT_PROPERTY}
   */
  public static List<String> arguments(Path fileParent, Path pmemParent) {
    return List.of(
        HEAP,
        DIRECT,
        COLLECTOR,
        OPEN_LANG,
        OPEN_NIO,
        OPEN_CHANNELS,
        OPEN_MISC,
        NO_LEAK_DETECTION,
        RELOAD4J_ERRORS,
        LOG4J2_ERRORS,
        "-D" + Scratch.FILE_PARENT_PROPERTY + "=" + fileParent.toAbsolutePath(),
        "-D" + Scratch.PMEM_PARENT_PROPERTY + "=" + pmemParent.toAbsolutePath());
  }

  /**
   * The class path: the benchmarks and JMH, the drop-in jar, and HBase.
   *
   * @throws IOException if the build has not made them; the message says how
   */
  public static String classPath() throws IOException {
    HBaseInstall install = HBaseInstall.in(HBaseInstall.home());
    Set<Path> entries = new LinkedHashSet<>();
    entries.add(originOf(BenchmarkJvm.class));
    entries.add(originOf(Runner.class));
    entries.add(originOf(OptionParser.class));
    entries.add(originOf(Histogram.class));
    entries.add(install.dropInJar());
    entries.addAll(install.jars());
    return entries.stream()
        .map(entry -> entry.toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path originOf(Class<?> loaded) {
    try {
      return Path.of(loaded.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(loaded + " comes from no file", e);
    }
  }
}
