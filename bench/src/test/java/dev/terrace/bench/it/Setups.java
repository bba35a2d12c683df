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
package dev.terrace.bench.it;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.server.ServerSetup;
import java.util.List;
import java.util.Map;

/** Setups of the servers of tests. */
final class Setups {

  private static final ByteSize HEAP = ByteSize.ofMebibytes(512);

  private Setups() {}

  /** HBase with Terrace's jar. */
  static ServerSetup terrace(String name, ByteSize directMemory, Map<String, String> settings) {
    return quick(ServerSetup.of(name, name, true, HEAP, directMemory, settings));
  }

  /** HBase as released. */
  static ServerSetup plain(String name, Map<String, String> settings) {
    return quick(ServerSetup.of(name, name, false, HEAP, ByteSize.ofMebibytes(1024), settings));
  }

  /** These servers are gone before the slower compiler and G1's threads have paid off. */
  private static ServerSetup quick(ServerSetup setup) {
    return new ServerSetup(
        setup.name(),
        setup.title(),
        setup.isTerrace(),
        setup.heap(),
        setup.directMemory(),
        setup.settings(),
        setup.jars(),
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
        setup.memory());
  }
}
