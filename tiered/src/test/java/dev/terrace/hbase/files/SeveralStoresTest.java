// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** Whose a file is that several stores have: clones, and the halves of a split. */
class SeveralStoresTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "fedcba9876543210fedcba9876543210";
  private static final String REGION = "11111111111111111111111111111111";
  private static final String DAUGHTER = "22222222222222222222222222222222";
  private static final String CLONE = "33333333333333333333333333333333";

  private final Map<String, List<OpenStoreFile>> regions = new HashMap<>();
  private final FileCatalog known =
      new FileCatalog(
          FILES,
          () ->
              regions.entrySet().stream()
                  .map(
                      region ->
                          new OnlineRegion(region.getKey(), true, List.copyOf(region.getValue()))),
          () -> 0L);

  private void list(String region, String name, Stage stage) {
    String table = region.equals(CLONE) ? "clone" : "t";
    Path path = new Path("/hbase/data/default/" + table + "/" + region + "/f/" + name);
    regions.computeIfAbsent(region, added -> new ArrayList<>()).add(OpenPaths.file(path, stage));
  }

  @Test
  void aFileOfACloneAndItsSourceIsOfBothAndFirstOfTheSource() {
    list(REGION, FILE, Stage.OPEN);
    list(CLONE, "t=" + REGION + "-" + FILE, Stage.OPEN);
    known.learnOpenFiles();

    assertThat(known.isShared(file(FILE))).isTrue();
    assertThat(known.places(file(FILE)))
        .extracting(Owner.Place::table)
        .containsExactlyInAnyOrder("default:t", "default:clone");
    assertThat(known.owner(file(FILE)).table()).as("whose own it is").isEqualTo("default:t");
    regions.get(REGION).clear();
    known.learnOpenFiles();
    assertThat(known.owner(file(FILE)).table()).isEqualTo("default:clone");
  }

  @Test
  void aCloneThatHasJustOpenedDoesNotTakeTheFileFromItsSource() {
    list(REGION, FILE, Stage.OPEN);
    known.learnOpenFiles();
    list(CLONE, "t=" + REGION + "-" + FILE, Stage.COMPACTED);

    assertThat(known.isReadElsewhere(file(FILE))).isTrue();
    assertThat(known.isHalfReadElsewhere(file(FILE))).isTrue();
  }

  @Test
  void theHalvesOfAFileThatWasSplitCountForOneRegionEach() {
    list(DAUGHTER, FILE + "." + REGION, Stage.OPEN);
    list(OTHER, FILE + "." + REGION, Stage.OPEN);
    known.learnOpenFiles();

    assertThat(known.regions(file(FILE))).isEqualTo(Map.of(DAUGHTER, 0.5, OTHER, 0.5));
    assertThat(known.isShared(file(FILE))).isFalse();
    assertThat(known.isHalfReadElsewhere(file(FILE))).as("the other half is its own").isFalse();
    assertThat(known.isReadElsewhere(file(FILE))).isTrue();
  }

  @Test
  void halvesThatAreCompactedCountForOneRegionEach() {
    list(DAUGHTER, FILE + "." + REGION, Stage.COMPACTED);
    list(OTHER, FILE + "." + REGION, Stage.COMPACTED);
    known.learnOpenFiles();

    assertThat(known.regions(file(FILE))).isEqualTo(Map.of(DAUGHTER, 0.5, OTHER, 0.5));
  }

  @Test
  void theHalfThatIsNotCompactedYetCountsForAllOfTheFile() {
    list(DAUGHTER, FILE + "." + REGION, Stage.COMPACTED);
    list(OTHER, FILE + "." + REGION, Stage.OPEN);
    known.learnOpenFiles();

    assertThat(known.regions(file(FILE))).isEqualTo(Map.of(OTHER, 1.0));
  }
}
