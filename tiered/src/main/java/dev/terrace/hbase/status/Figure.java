// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A number that Terrace reports, read from counters that exist anyway. Names follow the conventions
 * of Prometheus: the unit is in the name, and {@code _total} ends that of a counter.
 *
 * @param <S> what the number is read from
 * @param family the name, without the constant that it counts
 * @param label what tells the counters of a family apart; empty if there is one
 * @param constant the constant that it counts, in lower case; empty if there is none
 * @param help its meaning, in one or two sentences
 * @param reader reads it: a {@code Double} if it may have a fraction; NaN if it is unknown now
 */
record Figure<S>(
    String family, String label, String constant, String help, Function<S, Number> reader) {

  static final String TOTAL = "_total";

  static <S> Figure<S> of(String name, String help, Function<S, Number> reader) {
    return new Figure<>(name, "", "", help, reader);
  }

  /** A counter for each constant, such as evictions by cause. */
  static <S, E extends Enum<E>> Stream<Figure<S>> each(
      String family, String label, String help, Stream<E> constants, CountOf<S, E> reader) {
    return constants.map(
        constant ->
            new Figure<>(
                family,
                label,
                constant.name().toLowerCase(Locale.ROOT),
                help,
                source -> reader.count(source, constant)));
  }

  /** Reads the counter of a constant. */
  @FunctionalInterface
  interface CountOf<S, E> {
    long count(S source, E constant);
  }

  String name() {
    return constant.isEmpty() ? family : family.replace(TOTAL, "_" + constant + TOTAL);
  }
}
