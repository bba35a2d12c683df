/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.hbase.files.OpenStoreFile.Stage;
import dev.terrace.tiered.HeapTier;
import dev.terrace.tiered.LentStrings;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which files are dead, by what stores list and what folders have. */
class DeadFilesTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "fedcba9876543210fedcba9876543210";
  private static final String REGION = "11111111111111111111111111111111";
  private static final String DAUGHTER = "22222222222222222222222222222222";
  private static final String CLONE = "33333333333333333333333333333333";

  private final AtomicLong nowNanos = new AtomicLong();
  private final Map<String, List<OpenStoreFile>> regions = new HashMap<>();
  private final Set<String> closing = new HashSet<>();
  private final Set<String> compacting = new HashSet<>();
  private final Map<String, Set<String>> folders = new HashMap<>();
  private final KnownFiles known =
      new KnownFiles(
          () ->
              regions.entrySet().stream()
                  .map(
                      region ->
                          new OpenRegion(
                              region.getKey(),
                              !closing.contains(region.getKey()),
                              compacting.contains(region.getKey()),
                              List.copyOf(region.getValue()))),
          () -> 0L);
  private final List<HeapTier> tiers = List.of(new HeapTier("dram"), new HeapTier("ssd"));
  private final TieredCache<String> cache =
      new TieredCache<>(
          tiers, new LentStrings(), Movement.standard(tiers, false, Runnable::run, 1 << 20));
  private final DeadFiles dead =
      new DeadFiles(
          cache,
          known,
          (region, isMob) -> Optional.ofNullable(folders.get(region.region())),
          cache::evictFile,
          nowNanos::get);

  @AfterEach
  void close() {
    cache.close();
  }

  private void put(String file) {
    cache.put(file, 0, "a block", new BlockTraits(0, Residency.ORDINARY));
  }

  private static Path path(String table, String region, String name) {
    return new Path("/hbase/data/default/" + table + "/" + region + "/f/" + name);
  }

  private void list(String region, String name, Stage stage) {
    String table = region.equals(CLONE) ? "clone" : "t";
    regions
        .computeIfAbsent(region, added -> new ArrayList<>())
        .add(OpenPaths.file(path(table, region, name), stage));
  }

  /** Sweeps now and after a time, and returns whether the file was evicted. */
  private boolean isDeadAfter(Duration time, String file) {
    dead.sweep();
    nowNanos.addAndGet(time.toNanos());
    dead.sweep();
    return cache.usage(file).blocks() == 0;
  }

  private boolean isDead(String file) {
    return isDeadAfter(DeadFiles.GRACE, file);
  }

  @Test
  void aFileThatAStoreListsStays() {
    for (Stage stage : Stage.values()) {
      regions.clear();
      put(FILE);
      list(REGION, FILE, stage);

      assertThat(isDeadAfter(Duration.ofDays(1), FILE)).as(stage.toString()).isFalse();
    }
  }

  @Test
  void aFileThatItsOpenRegionGaveUpIsDead() {
    put(FILE);
    list(REGION, FILE, Stage.OPEN);
    dead.sweep();
    regions.get(REGION).clear();

    assertThat(isDeadAfter(DeadFiles.GRACE.minusSeconds(1), FILE)).as("too early").isFalse();
    assertThat(known.regions(FILE)).as("what it counts for").isEmpty();
    assertThat(isDead(FILE)).isTrue();
  }

  @Test
  void aRegionThatIsNotOpenKeepsWhatItsFolderHas() {
    put(FILE);
    list(REGION, FILE, Stage.OPEN);
    dead.sweep();
    regions.get(REGION).clear();
    closing.add(REGION);
    assertThat(isDead(FILE)).as("while it closes").isFalse();

    regions.remove(REGION);
    assertThat(isDead(FILE)).as("while the file system does not answer").isFalse();
    folders.put(REGION, Set.of(FILE, OTHER));
    assertThat(isDead(FILE)).as("while it is elsewhere").isFalse();
    folders.put(REGION, Set.of(OTHER));
    assertThat(isDead(FILE)).isTrue();
  }

  @Test
  void aFileOfARegionThatIsGoneIsDeadAfterARestart() {
    put(FILE);
    put(OTHER);
    known.recovered(FILE, "1 " + REGION + " default:t");
    known.recovered(OTHER, "1 " + DAUGHTER + " default:t");
    folders.put(REGION, Set.of());
    folders.put(DAUGHTER, Set.of(OTHER));

    assertThat(isDead(FILE)).isTrue();
    assertThat(cache.usage(OTHER).blocks()).isOne();
  }

  /** The log does not tell whose the blocks are that were written last before a crash. */
  @Test
  void aFileOfWhichNothingIsKnownHasMinutesToBeOpened() {
    String mob = "d41d8cd98f00b204e9800998ecf8427e20261126" + FILE + "_" + REGION;
    put(FILE);
    put(OTHER);
    put(mob);
    assertThat(isDeadAfter(Duration.ofDays(1), FILE)).as("no region is open").isFalse();

    list(REGION, OTHER, Stage.OPEN);
    assertThat(isDead(FILE)).as("its region may open").isFalse();
    assertThat(isDeadAfter(DeadFiles.GRACE_OF_UNKNOWN, FILE)).isTrue();
    assertThat(cache.usage(OTHER).blocks()).isOne();
    assertThat(cache.usage(mob).blocks()).as("no store lists it").isOne();
  }

  @Test
  void aParentDoesNotOpenAgain() {
    put(FILE);
    list(REGION, FILE, Stage.OPEN);
    dead.sweep();
    regions.remove(REGION);
    folders.put(REGION, Set.of(FILE));
    list(DAUGHTER, FILE + "." + REGION, Stage.OPEN);
    assertThat(isDead(FILE)).as("its daughter reads it").isFalse();

    regions.get(DAUGHTER).clear();
    assertThat(isDead(FILE)).isTrue();
  }

  @Test
  void aFileOfAParentIsDeadIfItsDaughtersOpenElsewhere() {
    put(FILE);
    known.replaced(FILE);

    assertThat(isDead(FILE)).as("they may open here").isFalse();
    assertThat(isDeadAfter(DeadFiles.GRACE_OF_PARENTS, FILE)).isTrue();
  }

  @Test
  void aFileThatACloneReadsStaysWhenItsSourceGivesItUp() {
    put(FILE);
    list(REGION, FILE, Stage.OPEN);
    list(CLONE, "t=" + REGION + "-" + FILE, Stage.OPEN);
    dead.sweep();
    assertThat(known.isShared(FILE)).isTrue();
    assertThat(known.places(FILE))
        .extracting(Owner.Place::table)
        .containsExactlyInAnyOrder("default:t", "default:clone");
    assertThat(known.table(FILE)).as("whose own it is").isEqualTo("default:t");
    regions.get(REGION).clear();
    assertThat(isDead(FILE)).isFalse();
    assertThat(known.table(FILE)).isEqualTo("default:clone");

    regions.get(CLONE).clear();
    assertThat(isDead(FILE)).isTrue();
  }

  @Test
  void aCloneThatHasJustOpenedDoesNotTakeTheFileFromItsSource() {
    list(REGION, FILE, Stage.OPEN);
    known.learnOpenFiles();
    list(CLONE, "t=" + REGION + "-" + FILE, Stage.COMPACTED);

    assertThat(known.isReadElsewhere(FILE)).isTrue();
    assertThat(known.isHalfReadElsewhere(FILE)).isTrue();
  }

  @Test
  void theOutputOfACompactionStaysUntilThatEnds() {
    list(REGION, FILE, Stage.OPEN);
    compacting.add(REGION);
    dead.sweep();
    put(OTHER);
    BlockCacheKey input = new BlockCacheKey(path("t", REGION, FILE), 0, true, BlockType.DATA);
    known.writtenBy(OTHER, "default:t", List.of(input));

    assertThat(isDeadAfter(Duration.ofHours(1), OTHER)).isFalse();
    compacting.clear();
    assertThat(isDead(OTHER)).isTrue();
  }

  @Test
  void theHalvesOfAFileThatWasSplitCountForOneRegionEach() {
    list(DAUGHTER, FILE + "." + REGION, Stage.OPEN);
    list(OTHER, FILE + "." + REGION, Stage.OPEN);
    known.learnOpenFiles();

    assertThat(known.regions(FILE)).isEqualTo(Map.of(DAUGHTER, 0.5, OTHER, 0.5));
    assertThat(known.isShared(FILE)).isFalse();
    assertThat(known.isHalfReadElsewhere(FILE)).as("the other half is its own").isFalse();
    assertThat(known.isReadElsewhere(FILE)).isTrue();
  }

  @Test
  void halvesThatAreCompactedCountForOneRegionEach() {
    list(DAUGHTER, FILE + "." + REGION, Stage.COMPACTED);
    list(OTHER, FILE + "." + REGION, Stage.COMPACTED);
    known.learnOpenFiles();

    assertThat(known.regions(FILE)).isEqualTo(Map.of(DAUGHTER, 0.5, OTHER, 0.5));
  }

  @Test
  void theHalfThatIsNotCompactedYetCountsForAllOfTheFile() {
    list(DAUGHTER, FILE + "." + REGION, Stage.COMPACTED);
    list(OTHER, FILE + "." + REGION, Stage.OPEN);
    known.learnOpenFiles();

    assertThat(known.regions(FILE)).isEqualTo(Map.of(OTHER, 1.0));
  }
}
