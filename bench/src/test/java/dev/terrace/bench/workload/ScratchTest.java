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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ScratchTest {

  @Test
  void removesWhatIsInItsDirectories() throws IOException {
    Path file;
    Path mapped;
    try (Scratch scratch = Scratch.create()) {
      file = Files.writeString(scratch.fileDirectory().resolve("a"), "a");
      mapped = Files.writeString(scratch.pmemDirectory().resolve("b"), "b");
      assertThat(file).exists();
      assertThat(mapped).exists();
    }
    assertThat(file.getParent()).doesNotExist();
    assertThat(mapped.getParent()).doesNotExist();
  }
}
