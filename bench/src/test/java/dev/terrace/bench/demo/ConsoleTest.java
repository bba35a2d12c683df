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

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ConsoleTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private Console console(boolean terminal) {
    return new Console(new PrintStream(bytes, true, StandardCharsets.UTF_8), terminal);
  }

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  @Test
  void progressOverwritesItselfOnATerminal() {
    Console console = console(true);
    console.progress("1 of 2");
    console.progress("2 of 2");
    console.say("done");
    assertThat(written()).isEqualTo("      1 of 2\r\u001b[K      2 of 2\r\u001b[Kdone\n");
  }

  @Test
  void progressIsPlainLinesElsewhere() {
    Console console = console(false);
    console.progress("1 of 2");
    console.say("done");
    assertThat(written()).isEqualTo("      1 of 2\ndone\n");
  }

  @Test
  void nothingFollowsTheLastLine() {
    Console console = console(false);
    console.sayLast("stopping");
    console.say("more");
    console.progress("more");
    console.complain(new PrintStream(bytes, true, StandardCharsets.UTF_8), "more");
    assertThat(written()).isEqualTo("stopping\n");
  }
}
