// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.phoenix;

import java.util.Base64;
import java.util.Random;

/**
 * A row of the tables.
 *
 * @param id its key
 * @param k one of {@link #GROUPS} numbers
 * @param v a short value that differs in each generation
 * @param w a long value that differs in each row and generation
 */
record Row(long id, int k, String v, String w) {

  static final int GROUPS = 200;

  private static final int VALUES = 97;

  static Row of(long id, int generation) {
    byte[] bytes = new byte[150];
    new Random(id * 31 + generation).nextBytes(bytes);
    return new Row(
        id,
        group(id),
        "v" + id % VALUES + "-" + generation,
        Base64.getEncoder().encodeToString(bytes));
  }

  private static int group(long id) {
    return (int) ((id * 2_654_435_761L >>> 8) % GROUPS);
  }
}
