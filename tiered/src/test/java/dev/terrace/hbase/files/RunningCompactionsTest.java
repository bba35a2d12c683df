// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.files.RunningCompactions.Compaction;
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
    first = compactions.reads("one", 0);
  }

  @Test
  void itReadsTheFilesOfOneStoreFromTheirBegin() {
    assertThat(compactions.reads("two", 500)).isSameAs(first);
    assertThat(compactions.reads("one", 100)).isSameAs(first);
    assertThat(compactions.reads("not found by a scan yet", 0)).isSameAs(first);
    assertThat(compactions.writes(OUTPUT)).isSameAs(first);
    assertThat(compactions.reads("two", 600)).isSameAs(first);
    assertThat(compactions.writes("another output")).isSameAs(first);
  }

  @Test
  void anotherStoresFileBeginsTheNextOne() {
    assertThat(compactions.reads("elsewhere", 0)).isNotSameAs(first);
    assertThat(compactions.areDoneWith("one", 0)).isFalse();
  }

  @Test
  void aFileThatBeginsAgainBeginsTheNextOne() {
    Compaction last = compactions.reads("one", 100);
    assertThat(last).isSameAs(first);
    assertThat(compactions.reads("one", 0)).isNotSameAs(first);
    assertThat(compactions.areDoneWith("one", 0)).isFalse();
  }

  @Test
  void aFileThatItOpensAfterItHasWrittenBeginsTheNextOne() {
    compactions.writes(OUTPUT);
    assertThat(compactions.reads("two", 0)).isNotSameAs(first);
    assertThat(compactions.areWriting(OUTPUT)).isFalse();
  }

  @Test
  void mobFilesAreReadInBetween() {
    String mob = "0123456789abcdef0123456789abcdef20260101fedcba9876543210fedcba9876543210_r";
    compactions.writes(OUTPUT);
    assertThat(compactions.reads(mob, 500)).isSameAs(first);
    assertThat(compactions.reads(mob, 100)).isSameAs(first);
    assertThat(compactions.areWriting(OUTPUT)).isTrue();
  }

  @Test
  void aFileThatIsDroppedIsReadOn() {
    compactions.reads("one", 100);
    compactions.writes(OUTPUT);
    compactions.dropped("one");
    assertThat(compactions.areDoneWith("one", 0)).isFalse();

    assertThat(compactions.reads("one", 200)).isSameAs(first);
    assertThat(compactions.areDoneWith("one", 0)).isFalse();
    assertThat(compactions.areDoneWith("one", 100)).isTrue();
  }
}
