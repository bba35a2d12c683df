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
package dev.terrace.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FailureTextTest {

  @TempDir Path parent;

  @Test
  void aFullDiskIsCalledOne() throws Exception {
    WorkDirectory directory = WorkDirectory.create(parent, 0);
    IOException failure = new IOException("write of x: No space left on device");
    assertThat(FailureText.of(failure, directory, Optional.empty()))
        .contains("the disk of " + directory.path() + " is full, or nearly", "--dir")
        .doesNotContain("\n");
  }

  @Test
  void anythingElseIsItsFirstLine() throws Exception {
    WorkDirectory directory = WorkDirectory.create(parent, 0);
    IOException failure = new IOException("first line\n  at somewhere");
    assertThat(FailureText.of(failure, directory, Optional.empty())).isEqualTo("first line");
  }
}
