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
package dev.terrace.bench.report.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.page.Bullets;
import dev.terrace.bench.report.page.Paragraph;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ComparisonsTest {

  private final Comparisons more = new Comparisons(Comparisons.Better.MORE);
  private final Comparisons less = new Comparisons(Comparisons.Better.LESS);

  private static void compare(Comparisons comparisons, Summary ours, Summary theirs) {
    comparisons.add(
        "reads",
        new Comparisons.Figure("Terrace", ours),
        new Comparisons.Figure("LRU", theirs),
        Numbers::count);
  }

  private static List<String> items(Comparisons comparisons) {
    return ((Bullets) comparisons.parts().get(0)).items();
  }

  @Test
  void saysNothingWithoutComparisons() {
    assertThat(more.parts()).isEmpty();
  }

  @Test
  void saysWhenTerraceIsBetterEverywhere() {
    compare(more, Summary.of(90, 100, 110), Summary.of(50, 51, 52));

    assertThat(((Paragraph) more.parts().get(0)).text()).contains("in none of the 1 comparisons");
  }

  @Test
  void tellsWhereTerraceIsWorse() {
    compare(more, Summary.of(10), Summary.of(20));
    compare(less, Summary.of(20), Summary.of(0));

    assertThat(items(more)).containsExactly("reads: Terrace 10, LRU 20");
    assertThat(items(less)).containsExactly("reads: Terrace 20, LRU 0");
  }

  @Test
  void overlappingSpreadsAreNoAdvantage() {
    compare(more, Summary.of(90, 100, 110), Summary.of(80, 95, 99));

    assertThat(items(more)).singleElement().asString().contains("within the spread");
  }

  @Test
  void smallDifferencesOfSingleMeasurementsAreNoAdvantage() {
    compare(more, Summary.of(104), Summary.of(100));
    compare(less, Summary.of(50), Summary.of(100));

    assertThat(items(more)).hasSize(1);
    assertThat(less.parts()).singleElement().isInstanceOf(Paragraph.class);
  }
}
