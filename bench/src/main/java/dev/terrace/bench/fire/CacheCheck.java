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
package dev.terrace.bench.fire;

import dev.terrace.bench.server.HBaseInstall;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs {@code inspect --verify} on caches of servers that are stopped. */
final class CacheCheck {

  /** Verifies all caches of servers. */
  void verify(List<RegionServer> servers, Timeline timeline) throws IOException {
    for (RegionServer server : servers) {
      for (Path cache : server.caches()) {
        verify(server, cache, timeline);
      }
    }
  }

  private void verify(RegionServer server, Path cache, Timeline timeline) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                java.toString(),
                "-jar",
                HBaseInstall.tools().toString(),
                "inspect",
                "--verify",
                cache.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        timeline.found("verify", server.name() + ": " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("verify was interrupted").initCause(e);
    }
    timeline.tell("verify", server.name() + " " + said.lines().reduce("", (a, last) -> last));
  }
}
