// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefCountStripesTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 500})
  void aColumnIsTheSumOverAllThreads(int threads) {
    RefCountStripes stripes = new RefCountStripes(threads, 1);
    long[] set = stripes.open();
    int column = RefCountStripes.take(set);
    for (int i = 1; i <= 40; i++) {
      int delta = i % 2 == 0 ? i : -3 * i;
      CompletableFuture.runAsync(
              () -> assertThat(RefCountStripes.add(set, column, delta)).isTrue(),
              task -> new Thread(task).start())
          .join();
    }
    assertThat(stripes.close(set, column)).isEqualTo(420 - 3 * 400);
  }

  @Test
  void columnsDoNotMeet() {
    RefCountStripes stripes = new RefCountStripes(2, 1);
    long[] set = stripes.open();
    Set<Integer> columns = new HashSet<>();
    for (int i = 0; i < RefCountStripes.COLUMNS; i++) {
      int column = RefCountStripes.take(set);
      assertThat(RefCountStripes.add(set, column, 1000 + column)).isTrue();
      columns.add(column);
    }
    assertThat(columns).hasSize(RefCountStripes.COLUMNS).doesNotContain(0);
    for (int column : columns) {
      assertThat(stripes.close(set, column)).isEqualTo(1000 + column);
    }
  }

  @Test
  void whatComesAfterTheEndDoesNotCount() {
    RefCountStripes stripes = new RefCountStripes(2, 1);
    long[] set = stripes.open();
    int column = RefCountStripes.take(set);
    assertThat(stripes.close(set, column)).isZero();
    for (int i = 0; i < 100; i++) {
      assertThat(RefCountStripes.add(set, column, 1)).isFalse();
      assertThat(RefCountStripes.add(set, column, -2)).isFalse();
    }
  }

  @Test
  void setsAreBoundedAndComeBackWhenAllColumnsAreClosed() {
    RefCountStripes stripes = new RefCountStripes(2, 2);
    long[] first = fill(stripes);
    assertThat(RefCountStripes.take(first)).isZero();
    long[] second = fill(stripes);
    assertThat(second).isNotSameAs(first);
    assertThat(stripes.open()).isNull();
    assertThat(stripes.sets()).isEqualTo(2);

    for (int column = 1; column < RefCountStripes.COLUMNS; column++) {
      stripes.close(first, column);
    }
    assertThat(stripes.open()).isNull();
    stripes.close(first, RefCountStripes.COLUMNS);

    assertThat(stripes.sets()).isEqualTo(1);
    assertThat(stripes.open()).isNotNull().isNotSameAs(first).isNotSameAs(second);
    assertThat(stripes.sets()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"1, 4, 1024", "4, 10, 1024", "16, 34, 1024", "32, 66, 992", "64, 130, 504"})
  void aRowForEachOfManyProcessorsTakesNoMoreMemory(int processors, int rows, int sets) {
    RefCountStripes stripes = new RefCountStripes(processors, 1024);
    long[] set = fill(stripes);
    assertThat(set).hasSize(rows * 64);
    while (stripes.open() != null) {
      fill(stripes);
    }
    assertThat(stripes.sets()).isEqualTo(sets);
  }

  private static long[] fill(RefCountStripes stripes) {
    long[] set = stripes.open();
    for (int i = 0; i < RefCountStripes.COLUMNS; i++) {
      assertThat(stripes.open()).isSameAs(set);
      assertThat(RefCountStripes.take(set)).isPositive();
    }
    return set;
  }
}
