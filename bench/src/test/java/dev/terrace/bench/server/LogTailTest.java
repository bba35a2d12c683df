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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogTailTest {

  @TempDir Path folder;

  @Test
  void returnsTheLastLinesOfALongFile() throws Exception {
    Path log = folder.resolve("log");
    Files.write(log, IntStream.range(0, 100_000).mapToObj(i -> "line number " + i).toList());
    assertThat(LogTail.lines(log, 2)).containsExactly("line number 99998", "line number 99999");
  }

  @Test
  void returnsAllLinesOfAShortFile() throws Exception {
    Path log = Files.writeString(folder.resolve("log"), "one\ntwo");
    assertThat(LogTail.lines(log, 10)).containsExactly("one", "two");
  }

  @Test
  void aLogThatIsNotThereHasNoLines() throws Exception {
    assertThat(LogTail.lines(folder.resolve("none"), 10)).isEmpty();
  }

  @Test
  void findsTheNewestLineWithATextInIt() throws Exception {
    Path log = folder.resolve("log");
    Files.write(log, List.of("ERROR one", "info", "  ERROR two", "Caused by: x", "info"));
    assertThat(LogTail.newestWith(log, "ERROR")).contains("ERROR two");
    assertThat(LogTail.newestWith(log, "ERROR", "Caused by")).contains("Caused by: x");
    assertThat(LogTail.newestWith(log, "FATAL")).isEmpty();
  }
}
