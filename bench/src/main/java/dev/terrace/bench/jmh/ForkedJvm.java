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
package dev.terrace.bench.jmh;

import dev.terrace.bench.workload.Scratch;
import java.nio.file.Path;
import java.util.List;

/** How the JVMs are started that benchmarks run in. */
public final class ForkedJvm {

  static final String HEAP = "-Xmx2g";
  static final String DIRECT = "-XX:MaxDirectMemorySize=3g";
  static final String COLLECTOR = "-XX:+UseG1GC";

  // HBase and Netty reach into these packages by reflection.
  static final String OPEN_LANG = "--add-opens=java.base/java.lang=ALL-UNNAMED";
  static final String OPEN_NIO = "--add-opens=java.base/java.nio=ALL-UNNAMED";
  static final String OPEN_CHANNELS = "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED";
  static final String OPEN_MISC = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

  // Leak detection follows about one block in a hundred and makes its every hit expensive: which
  // blocks, chance decides, and so it would decide the figures. Off for all caches alike.
  static final String LEAKS_HBASE =
      "-Dorg.apache.hbase.thirdparty.io.netty.leakDetection.level=disabled";
  static final String LEAKS_NETTY = "-Dio.netty.leakDetection.level=disabled";

  static final String LOG_ERRORS = "-Dlog4j.configuration=dev/terrace/bench/jmh/log4j.properties";

  private ForkedJvm() {}

  /**
   * All arguments.
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
        LEAKS_HBASE,
        LEAKS_NETTY,
        LOG_ERRORS,
        "-D" + Scratch.FILE_PARENT_PROPERTY + "=" + fileParent.toAbsolutePath(),
        "-D" + Scratch.PMEM_PARENT_PROPERTY + "=" + pmemParent.toAbsolutePath());
  }
}
