// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.settings.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the versions of Java and HBase against those that Terrace is tested with. */
final class VersionCheck implements Check {

  private static final List<String> HBASE = List.of("2.5", "2.6", "3.0");
  private static final int LEAST_JAVA = 17;
  private static final int LAST_JAVA = 25;

  @Override
  public List<Finding> of(Start start) {
    List<Finding> findings = new ArrayList<>();
    Optional<String> hbase = start.process().hbaseVersion();
    if (hbase.isPresent() && !isTested(hbase.get())) {
      findings.add(
          Finding.warning(
              "HBase " + hbase.get() + " is not tested",
              "A block cache uses parts of HBase that change between its versions.",
              "run one of HBase " + String.join(", ", HBASE) + ", or try it out first"));
    }
    int java = start.process().javaVersion();
    if (java > 0 && java < LEAST_JAVA) {
      findings.add(
          Finding.error(
              "Java " + java + " is too old",
              "The classes of Terrace are for Java " + LEAST_JAVA + " and later.",
              "set JAVA_HOME in hbase-env.sh to Java 17, 21 or 25"));
    } else if (java > LAST_JAVA) {
      findings.add(
          Finding.warning(
              "Java " + java + " is not tested",
              "HBase and Hadoop do not start on each new version.",
              "set JAVA_HOME in hbase-env.sh to Java 17, 21 or 25"));
    }
    return findings;
  }

  private static boolean isTested(String version) {
    return HBASE.stream().anyMatch(line -> version.equals(line) || version.startsWith(line + "."));
  }
}
