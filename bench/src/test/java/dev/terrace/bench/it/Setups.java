// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
