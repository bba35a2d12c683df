// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/**
 * Runs the tests of jcstress that {@code -Djcstress.args="-t REGEXP"} chooses, or all of them, and
 * prints how often each outcome was seen. jcstress fails if one was forbidden.
 */
class JcstressIT {

  @Test
  void nothingForbiddenHappens() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-r", "report"));
    arguments.addAll(List.of(System.getProperty("jcstress.args").trim().split(" +")));
    Options options = new Options(arguments.toArray(String[]::new));
    assertThat(options.parse()).isTrue();
    JCStress tests = new JCStress(options);
    assertThat(tests.getTests()).isNotEmpty();
    try {
      tests.run();
    } finally {
      print(results(options.getResultFile()));
    }
  }

  private static Collection<TestResult> results(String file) throws Exception {
    InProcessCollector collected = new InProcessCollector();
    DiskReadCollector reader = new DiskReadCollector(file, collected);
    try {
      reader.dump();
    } finally {
      reader.close();
    }
    return collected.getTestResults();
  }

  /** Prints a line for each test: its runs, each in another mode of compilation, and outcomes. */
  private static void print(Collection<TestResult> results) {
    Map<String, Integer> runs = new TreeMap<>();
    Map<String, Map<String, Long>> outcomes = new TreeMap<>();
    for (TestResult result : results) {
      String name = result.getName();
      runs.merge(name, 1, Integer::sum);
      Map<String, Long> ofTest = outcomes.computeIfAbsent(name, absent -> new TreeMap<>());
      result.getStateKeys().forEach(id -> ofTest.merge(id, result.getCount(id), Long::sum));
    }
    outcomes.forEach(
        (name, counts) -> System.out.println(name + " runs=" + runs.get(name) + " " + counts));
  }
}
