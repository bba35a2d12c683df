// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The estimate of what a JVM takes beside its heap and direct memory. */
class ServerProcessTest {

  private static final long MB = 1L << 20;

  /** A metaspace without a limit, as a JVM prints it; its bean has -1. */
  private static final String NO_LIMIT = "18446744073709547520";

  private static long megabytes(long heapMegabytes, String... namesAndValues) {
    Map<String, String> flags = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      flags.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return ServerProcess.nativeBytes(heapMegabytes * MB, name -> flags.getOrDefault(name, "")) / MB;
  }

  @Test
  void aSmallServerTakesSome300() {
    assertThat(megabytes(640)).isEqualTo(325);
    assertThat(megabytes(640, "MaxMetaspaceSize", NO_LIMIT, "ReservedCodeCacheSize", "251658240"))
        .isEqualTo(325);
    assertThat(megabytes(640, "MaxMetaspaceSize", "-1")).isEqualTo(325);
    assertThat(megabytes(640, "UseSerialGC", "true")).isEqualTo(262);
  }

  @Test
  void limitsOfTheJvmCount() {
    assertThat(megabytes(640, "MaxMetaspaceSize", "67108864")).isEqualTo(325 - 100 + 64);
    assertThat(megabytes(640, "ReservedCodeCacheSize", "50331648")).isEqualTo(325 - 80 + 48);
  }

  /** G1 has bitmaps, cards and remembered sets for each region of the heap. */
  @Test
  void aLargeHeapNeedsALargeCollector() {
    assertThat(megabytes(32 << 10)).isEqualTo(300 + (32 << 10) / 25);
  }

  /** The flags of this JVM are those that its build sets. */
  @Test
  void theServersOwnFlagsAreRead() {
    assertThat(ServerProcess.ownFlag("UseSerialGC")).isIn("true", "false");
    assertThat(ServerProcess.ownFlag("NoSuchFlag")).isEmpty();
    long heapBytes = ServerProcess.current("2.6.4").heapBytes();
    assertThat(heapBytes).isEqualTo(Long.parseLong(ServerProcess.ownFlag("MaxHeapSize")));
    assertThat(ServerProcess.current("2.6.4").nativeBytes())
        .isEqualTo(ServerProcess.nativeBytes(heapBytes, ServerProcess::ownFlag));
  }
}
