// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.HtmlPage.Comparisons;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ComparisonsTest {

  private static final Column MORE = Column.of("ops", "ops/s", Unit.COUNT).moreIsBetter();
  private static final Column LESS = Column.of("heap", "heap", Unit.COUNT).lessIsBetter();

  private static Table table(Column column) {
    return new Table("t", Column.text("load"), Column.text("cache"), column);
  }

  private static Comparisons of(Table... tables) {
    return new Comparisons(List.of(tables));
  }

  private static Comparisons of(Column column, Summary ours, Summary theirs) {
    return of(
        table(column)
            .row(Look.TERRACE, "reads", "Terrace", ours)
            .row(Look.PEER, "reads", "LRU", theirs));
  }

  @Test
  void saysNothingWithoutComparisons() {
    assertThat(of(table(MORE).row(Look.TERRACE, "reads", "Terrace", 1)).summary()).isEmpty();
    assertThat(of(Column.of("ops", "ops/s", Unit.COUNT), Summary.of(1), Summary.of(2)).summary())
        .isEmpty();
  }

  @Test
  void saysWhenTerraceIsBetterEverywhere() {
    Comparisons better = of(MORE, Summary.of(90, 100, 110), Summary.of(50, 51, 52));

    assertThat(better.summary().orElseThrow()).contains("in none of the 1 comparisons");
    assertThat(better.notBetter()).isEmpty();
  }

  @Test
  void tellsWhereTerraceIsWorse() {
    assertThat(of(MORE, Summary.of(10), Summary.of(20)).notBetter())
        .containsExactly("reads, ops/s: Terrace 10, LRU 20");
    assertThat(of(LESS, Summary.of(20), Summary.of(0)).notBetter())
        .containsExactly("reads, heap: Terrace 20, LRU 0");
  }

  @Test
  void overlappingSpreadsAreNoAdvantage() {
    assertThat(of(MORE, Summary.of(90, 100, 110), Summary.of(80, 95, 99)).notBetter())
        .singleElement()
        .asString()
        .contains("within the spread");
  }

  @Test
  void smallDifferencesOfSingleMeasurementsAreNoAdvantage() {
    assertThat(of(MORE, Summary.of(104), Summary.of(100)).notBetter()).hasSize(1);
    assertThat(of(LESS, Summary.of(50), Summary.of(100)).notBetter()).isEmpty();
  }

  @Test
  void whatIsExactHasNoNoise() {
    Column exact = Column.of("hits", "hits", Unit.EXACT_SHARE).moreIsBetter();

    assertThat(of(exact, Summary.of(0.4501), Summary.of(0.45)).notBetter()).isEmpty();
    assertThat(of(exact, Summary.of(0.4499), Summary.of(0.45)).notBetter())
        .containsExactly("reads, hits: Terrace 44.99 %, LRU 45.00 %");
  }

  @Test
  void theBestOfThePeersUnderTheSameConditionsIsTheRival() {
    Table table =
        table(MORE)
            .row(Look.TERRACE, "reads", "Terrace", 100)
            .row(Look.PEER, "reads", "LRU", 10)
            .row(Look.PEER, "reads", "BucketCache", 200)
            .row(Look.BOUND, "reads", "floor", 1000)
            .row(Look.PEER, "writes", "LRU", 999);

    assertThat(of(table).notBetter()).containsExactly("reads, ops/s: Terrace 100, BucketCache 200");
  }

  @Test
  void cachesInOtherPlacesAreNoRivals() {
    Table table =
        table(MORE)
            .rowIn(Look.TERRACE, "file", "reads", "Terrace", 100)
            .rowIn(Look.PEER, "offheap", "reads", "BucketCache", 200);

    assertThat(of(table).summary()).isEmpty();
  }
}
