// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static dev.terrace.api.TestFiles.file;
import static dev.terrace.hbase.files.Compaction.NO_TIER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a compaction begins and ends among the reads and writes of one thread. */
class RunningCompactionsTest {

  private static final String STORE = "/hbase/data/default/t/11111111111111111111111111111111/f/";
  private static final String OTHER = "/hbase/data/default/t/11111111111111111111111111111111/g/";
  private static final String OUTPUT = "output";

  private final FileCatalog known =
      OpenPaths.known(
          () -> List.of(STORE + "one", STORE + "two", OTHER + "elsewhere").stream().map(Path::new));
  private final RunningCompactions compactions = new RunningCompactions(known);
  private Compaction first;

  @BeforeEach
  void begin() {
    known.learnOpenFiles();
    first = compactions.reads(file("one"), 0, NO_TIER, 0);
  }

  @Test
  void itReadsTheFilesOfOneStoreFromTheirBegin() {
    assertThat(compactions.reads(file("two"), 500, NO_TIER, 0)).isSameAs(first);
    assertThat(compactions.reads(file("one"), 100, NO_TIER, 0)).isSameAs(first);
    assertThat(compactions.reads(file("not found by a scan yet"), 0, NO_TIER, 0)).isSameAs(first);
    assertThat(compactions.writes(file(OUTPUT))).isSameAs(first);
    assertThat(compactions.reads(file("two"), 600, NO_TIER, 0)).isSameAs(first);
    assertThat(compactions.writes(file("another output"))).isSameAs(first);
  }

  @Test
  void anotherStoresFileBeginsTheNextOne() {
    assertThat(compactions.reads(file("elsewhere"), 0, NO_TIER, 0)).isNotSameAs(first);
    assertThat(compactions.hasPassed(file("one"), 0)).isFalse();
  }

  @Test
  void aFileThatBeginsAgainBeginsTheNextOne() {
    Compaction last = compactions.reads(file("one"), 100, NO_TIER, 0);
    assertThat(last).isSameAs(first);
    assertThat(compactions.reads(file("one"), 0, NO_TIER, 0)).isNotSameAs(first);
    assertThat(compactions.hasPassed(file("one"), 0)).isFalse();
  }

  @Test
  void aFileThatItOpensAfterItHasWrittenBeginsTheNextOne() {
    compactions.writes(file(OUTPUT));
    assertThat(compactions.reads(file("two"), 0, NO_TIER, 0)).isNotSameAs(first);
    assertThat(compactions.isOutput(file(OUTPUT))).isFalse();
  }

  @Test
  void mobFilesAreReadInBetween() {
    String mob = "0123456789abcdef0123456789abcdef20260101fedcba9876543210fedcba9876543210_r";
    compactions.writes(file(OUTPUT));
    assertThat(compactions.reads(file(mob), 500, NO_TIER, 0)).isSameAs(first);
    assertThat(compactions.reads(file(mob), 100, NO_TIER, 0)).isSameAs(first);
    assertThat(compactions.isOutput(file(OUTPUT))).isTrue();
  }

  @Test
  void aFileThatIsDroppedIsReadOn() {
    compactions.reads(file("one"), 100, NO_TIER, 0);
    compactions.writes(file(OUTPUT));
    compactions.dropped(file("one"));
    assertThat(compactions.hasPassed(file("one"), 0)).isFalse();

    assertThat(compactions.reads(file("one"), 200, NO_TIER, 0)).isSameAs(first);
    assertThat(compactions.hasPassed(file("one"), 0)).isFalse();
    assertThat(compactions.hasPassed(file("one"), 100)).isTrue();
  }
}
