// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Prometheus' tools, which a test asks for. */
final class PromTool {

  private PromTool() {}

  /** Skips the test if the programs are not there; where {@code CI} is {@code true}, fails it. */
  static void requireInstalled() {
    boolean isInstalled = isOnPath("prometheus") && isOnPath("promtool");
    String missing =
        "no prometheus and promtool on the PATH; on Debian: apt-get install prometheus";
    if (!isInstalled) {
      assertThat(System.getenv("CI")).as(missing).isNotEqualTo("true");
      assumeTrue(false, missing);
    }
  }

  private static boolean isOnPath(String name) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
  }

  /** Runs promtool in docs/monitoring; returns its output if it succeeds. */
  static String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    Process tool =
        new ProcessBuilder(command)
            .directory(Prometheus.document("").toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tool.waitFor()).as("%s: %s", command, output).isZero();
    return output;
  }
}
