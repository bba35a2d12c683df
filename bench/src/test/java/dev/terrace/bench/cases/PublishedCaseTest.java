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
package dev.terrace.bench.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.load.Scale;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PublishedCaseTest {

  private static final Scale SMALL = CasesCommand.SCALES.get(0);

  private static Scale withRows(long rows) {
    return new Scale("small", rows, SMALL.sizes(), SMALL.rounds(), SMALL.time(), SMALL.warmUp());
  }

  private static List<PublishedCase> chosen(String... letters) {
    return CasesCommand.chosen(List.of(letters));
  }

  @Test
  void allUnlessSomeAreNamed() {
    assertThat(chosen())
        .extracting(PublishedCase::letter)
        .containsExactly("a", "b", "c", "d", "e", "f", "g", "g-moves", "h");
    assertThat(chosen("g")).extracting(PublishedCase::letter).containsExactly("g", "g-moves");
    assertThat(chosen("i")).extracting(PublishedCase::letter).containsExactly("i");
    assertThat(chosen("j")).extracting(PublishedCase::letter).containsExactly("j");
    assertThat(chosen("f", "a")).extracting(PublishedCase::letter).containsExactly("a", "f");
  }

  @Test
  void aWrongLetterIsNamed() {
    assertThatThrownBy(() -> chosen("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("CASE: 'x' is none of a, b, c, d, e, f, g, g-moves, h, i, j");
  }

  @Test
  void oneWithATableOfItsOwnIsRunAlone() {
    assertThatThrownBy(() -> chosen("a", "i"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("CASE: i has a table of its own, so it is run alone");
    assertThatThrownBy(() -> chosen("i", "j")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> chosen("j", "h"))
        .hasMessage("CASE: j has a table of its own, so it is run alone");
  }

  @Test
  void eachSaysWhatWasPublishedAndWhatIsDifferent() {
    for (PublishedCase one : CasesCommand.CASES) {
      assertThat(List.of(one.title(), one.published(), one.source(), one.differs()))
          .allMatch(text -> text.length() > 15);
      assertThat(one.differs()).endsWith(".");
    }
  }

  @Test
  void eachScaleIsInRange() {
    for (Scale scale : CasesCommand.SCALES) {
      assertThat(CasesCommand.checked(scale)).isEqualTo(scale);
    }
  }

  @Test
  void optionsOutOfRangeAreNamed() {
    assertThatThrownBy(() -> CasesCommand.checked(withRows(5_000)))
        .hasMessageContaining("--rows is 5000, must be 150000");
    assertThatThrownBy(() -> CasesCommand.checked(withRows(1_000_000)))
        .hasMessageContaining("--rows is 1000000")
        .hasMessageContaining("with --scale small");
  }
}
