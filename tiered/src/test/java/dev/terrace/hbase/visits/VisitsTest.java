// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.visits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What an operation costs does not grow with the regions and files that are there. */
class VisitsTest {

  private static final int REGIONS = 32;
  private static final int FILES = 50;
  private static final String OPERATIONS = "dev.terrace.hbase.VisitingOperations";

  @Test
  void whatIsAskedForEachBlockOrPolledVisitsNoRegionAndNoFile()
      throws ReflectiveOperationException {
    for (List<Integer> size :
        List.of(
            List.of(REGIONS, FILES), List.of(4 * REGIONS, FILES), List.of(REGIONS, 4 * FILES))) {
      assertThat(visits(size.get(0), size.get(1)))
          .as("regions=%s files=%s", size.get(0), size.get(1))
          .hasSize(4)
          .allSatisfy((operation, visits) -> assertThat(visits).as(operation).isZero());
    }
  }

  /** The visits of each operation, by its name. */
  @SuppressWarnings("unchecked")
  private static Map<String, Long> visits(int regions, int files)
      throws ReflectiveOperationException {
    Object operations =
        new VisitedClasses().loadClass(OPERATIONS).getDeclaredConstructor().newInstance();
    return ((BiFunction<Integer, Integer, Map<String, Long>>) operations).apply(regions, files);
  }
}
