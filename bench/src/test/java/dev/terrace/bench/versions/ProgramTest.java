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
package dev.terrace.bench.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ProgramTest {

  private static final Program PROGRAM =
      new Program(
          "demo", List.of("true"), Pattern.compile("(\\d+) faults, ([\\d,]+) rows"), "%s and %s");

  @Test
  void takesTheNumbersOfARun() {
    assertThat(PROGRAM.cell("begin\n12 faults, 1,234 rows\nend")).hasValue("12 and 1,234");
  }

  @Test
  void aRunThatShowsNothingHasNoCell() {
    assertThat(PROGRAM.cell("begin\nend")).isEmpty();
  }

  @Test
  void tellsWhyHBaseCannotStart() {
    String output = "terrace demo: Hadoop 2.10.2 does not start on Java 25; set JAVA_HOME\n";
    assertThat(Program.cannotStart(output)).hasValue("Hadoop 2.10.2 does not start on Java 25");
    assertThat(Program.cannotStart("the server ended")).isEmpty();
  }
}
