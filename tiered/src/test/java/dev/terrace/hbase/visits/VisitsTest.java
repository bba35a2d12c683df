// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.visits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * What an operation costs does not grow with the regions, blocks and files that are there. The
 * table is in this test's output.
 */
class VisitsTest {

  private static final int REGIONS = 128;
  private static final int BLOCKS = 1_000;
  private static final int FILES = 64;

  /** Searches of hash tables differ by some probes. Four times as many of anything are 192 more. */
  private static final int SPREAD = 96;

  /** Operations that visit each file once. */
  private static final Set<String> OF_ALL_FILES =
      Set.of("other quotas", "a resize by eight regions", "a heartbeat without its memo");

  /**
   * The search for long leases visits a bounded number of objects, which these tiers do not reach.
   */
  private static final String BOUNDED = "task 1 of TerraceService";

  @Test
  void noOperationVisitsMoreWhereThereAreMoreRegionsOrFiles() throws ReflectiveOperationException {
    Map<String, Long> few = compare("dev.terrace.hbase.VisitingOperations", REGIONS);
    assertThat(few.get("a hit, ssd")).as("else nothing is counted at all").isPositive();
  }

  @Test
  void noPollAndNoPeriodicTaskVisitsMoreWhereThereAreMoreBlocksOrFiles()
      throws ReflectiveOperationException {
    assertThat(compare("dev.terrace.hbase.VisitingPolls", BLOCKS))
        .containsKeys("a scrape", "JMX getMetrics", "HBase getCurrentSize", BOUNDED);
  }

  /** Compares operations at a size, at four times that, and with four times the files. */
  private static Map<String, Long> compare(String operations, int size)
      throws ReflectiveOperationException {
    Map<String, Long> few = visits(operations, size, FILES);
    Map<String, Long> larger = visits(operations, 4 * size, FILES);
    Map<String, Long> moreFiles = visits(operations, size, 4 * FILES);
    System.out.printf("%-44s %8s %8s %8s%n", "visits of", "few", "4 times", "files");
    few.forEach(
        (name, visits) ->
            System.out.printf(
                "%-44s %8d %8d %8d%n", name, visits, larger.get(name), moreFiles.get(name)));
    assertThat(few.keySet())
        .filteredOn(name -> !name.equals(BOUNDED))
        .allSatisfy(
            name -> {
              long most = few.get(name) + SPREAD;
              int times = OF_ALL_FILES.contains(name) ? 4 : 1;
              assertThat(larger.get(name)).as("at four times the size: " + name).isLessThan(most);
              assertThat(moreFiles.get(name))
                  .as("with four times the files: " + name)
                  .isLessThan(times * most);
            });
    return few;
  }

  /** The visits of each operation, by its name. */
  @SuppressWarnings("unchecked")
  private static Map<String, Long> visits(String operations, int size, int files)
      throws ReflectiveOperationException {
    Object loaded =
        new VisitedClasses().loadClass(operations).getDeclaredConstructor().newInstance();
    return ((BiFunction<Integer, Integer, Map<String, Long>>) loaded).apply(size, files);
  }
}
