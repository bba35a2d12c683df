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
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FailureTextTest {

  @TempDir Path work;

  @Test
  void aFullDiskIsCalledOne() {
    IOException failure = new IOException("write of x: No space left on device");

    assertThat(FailureText.of(failure, work, Optional.empty()))
        .contains("the disk of " + work + " is full, or nearly", "--dir")
        .doesNotContain("\n");
  }

  @Test
  void anythingElseIsItsFirstLine() {
    IOException failure = new IOException("first line\n  at somewhere");

    assertThat(FailureText.of(failure, work, Optional.empty())).isEqualTo("first line");
  }

  @Test
  void theLogsNewestErrorIsQuoted() throws IOException {
    Path log = Files.writeString(work.resolve("server.log"), "fine\n x ERROR lost\nfine\n");

    assertThat(FailureText.of(new IOException("gone"), work, Optional.of(log)))
        .isEqualTo("gone; it says: x ERROR lost; HBase's log is " + log);
  }
}
