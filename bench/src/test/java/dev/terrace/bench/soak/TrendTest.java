// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.soak.Soak.Figure;
import dev.terrace.bench.soak.Soak.Sample;
import dev.terrace.bench.soak.Soak.Trend;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

final class TrendTest {

  private static final int SAMPLES = 240;
  private static final double MEBIBYTE = 1 << 20;

  private final SplittableRandom random = new SplittableRandom(16);

  /** A life in which one figure takes these values, and the others stay as they are. */
  private static List<Sample> life(
      long pid, int samples, Figure figure, IntToDoubleFunction value) {
    List<Sample> life = new ArrayList<>();
    for (int i = 0; i < samples; i++) {
      life.add(sample(pid, i, figure, value.applyAsDouble(i)));
    }
    return life;
  }

  static Sample sample(long pid, int number, Figure figure, double value) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    for (Figure each : Figure.values()) {
      figures.put(each, 100.0);
    }
    figures.put(figure, value);
    return new Sample("rs1", pid, 30 * number, figures);
  }

  private static List<Figure> growing(List<Sample> samples) {
    return Trend.of(samples).stream().filter(trend -> !trend.isFlat()).map(Trend::figure).toList();
  }

  @Test
  void whatStaysLevelIsFlat() {
    assertThat(Trend.of(life(1, SAMPLES, Figure.HEAP, i -> 60 * MEBIBYTE)))
        .hasSameSizeAs(Figure.values())
        .allMatch(Trend::isFlat);
  }

  @Test
  void aLeakOfEachFigureIsFound() {
    for (Figure figure : Figure.values()) {
      // Twice what is let pass from one third to the next.
      double aSample = 2 * figure.mostGrowth() / (SAMPLES / 3);
      assertThat(growing(life(1, SAMPLES, figure, i -> 1_000 + aSample * i)))
          .as(figure.key())
          .containsExactly(figure);
    }
  }

  @Test
  void aLeakIsFoundBelowALoadThatComesAndGoes() {
    double aSample = 2 * Figure.HEAP.mostGrowth() / (SAMPLES / 3);
    assertThat(
            growing(
                life(
                    1,
                    SAMPLES,
                    Figure.HEAP,
                    i -> 60 * MEBIBYTE + aSample * i + random.nextDouble(100 * MEBIBYTE))))
        .containsExactly(Figure.HEAP);
  }

  @Test
  void loadThatComesAndGoesIsNoLeak() {
    assertThat(
            growing(
                life(
                    1,
                    SAMPLES,
                    Figure.HEAP,
                    i -> 60 * MEBIBYTE + (i % 5 == 0 ? 0 : i * MEBIBYTE / 4))))
        .isEmpty();
  }

  @Test
  void fillingInTheFirstThirdIsNoLeak() {
    assertThat(growing(life(1, SAMPLES, Figure.DIRECT, i -> Math.min(i, SAMPLES / 3) * MEBIBYTE)))
        .isEmpty();
  }

  @Test
  void aRestartBeginsANewLife() {
    List<Sample> samples = life(1, SAMPLES, Figure.THREADS, i -> 100);
    samples.addAll(life(2, SAMPLES, Figure.THREADS, i -> 200));
    assertThat(growing(samples)).isEmpty();
    samples.addAll(life(3, SAMPLES, Figure.THREADS, i -> 100 + i));
    assertThat(growing(samples)).containsExactly(Figure.THREADS);
    assertThat(Trend.of(samples).stream().filter(trend -> !trend.isFlat()))
        .singleElement()
        .hasToString("rs1, process 3: threads: 188.0, then 268.0, at most 30.0 more");
  }

  @Test
  void aShortLifeProvesNothing() {
    assertThat(Trend.of(life(1, Trend.LEAST_SAMPLES - 1, Figure.THREADS, i -> 1_000 * i)))
        .isEmpty();
  }
}
