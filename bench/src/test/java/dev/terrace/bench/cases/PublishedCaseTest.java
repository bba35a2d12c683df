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

import dev.terrace.bench.ByteSize;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PublishedCaseTest {

  private static final CaseOptions OPTIONS = options(250_000, CaseOptions.WARM_UP_SECONDS);

  private static CaseOptions options(long rows, int warmUpSeconds) {
    return new CaseOptions(
        "small",
        rows,
        ByteSize.ofMebibytes(512),
        Duration.ofSeconds(warmUpSeconds),
        Duration.ofSeconds(3),
        3,
        2,
        false);
  }

  @Test
  void allUnlessSomeAreNamed() {
    assertThat(PublishedCase.letters()).containsExactly("a", "b", "c", "d", "e", "f");
    assertThat(PublishedCase.named(List.of())).hasSize(6);
    assertThat(PublishedCase.named(List.of("f", "a")))
        .extracting(one -> one.about().letter())
        .containsExactly("a", "f");
  }

  @Test
  void aWrongLetterIsNamed() {
    assertThatThrownBy(() -> PublishedCase.named(List.of("g")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'g' is no case; there are a b c d e f");
  }

  @Test
  void theSmallScaleIsMeantToEndInFortyMinutes() {
    double seconds = PublishedCase.all().stream().mapToDouble(c -> c.plannedSeconds(OPTIONS)).sum();

    assertThat(seconds + CaseData.plannedSeconds(OPTIONS)).isBetween(600.0, 2_400.0);
  }

  @Test
  void eachSaysWhatWasPublishedAndWhatIsDifferent() {
    for (PublishedCase one : PublishedCase.all()) {
      CaseText about = one.about();
      assertThat(List.of(about.title(), about.published(), about.source(), about.differs()))
          .allMatch(text -> text.length() > 15);
      assertThat(about.differs()).endsWith(".");
    }
  }

  @Test
  void eachScaleIsInRange() {
    for (CaseScale scale : CaseScale.values()) {
      CaseOptions ofScale =
          new CaseOptions(
              scale.toString(),
              scale.rows(),
              scale.heap(),
              Duration.ofSeconds(CaseOptions.WARM_UP_SECONDS),
              Duration.ofSeconds(scale.seconds()),
              3,
              2,
              false);
      assertThat(ofScale.table().rows()).isEqualTo(scale.rows());
    }
  }

  @Test
  void optionsOutOfRangeAreNamed() {
    assertThatThrownBy(() -> options(5, 120)).hasMessageContaining("--rows 5");
    assertThatThrownBy(() -> options(1_000_000, 120))
        .hasMessageContaining("--rows 1000000")
        .hasMessageContaining("--scale small; take a larger --scale");
    assertThatThrownBy(() -> options(250_000, 0)).hasMessageContaining("--warm-up 0");
  }
}
