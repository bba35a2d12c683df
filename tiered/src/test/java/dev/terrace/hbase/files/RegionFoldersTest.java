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
import static org.awaitility.Awaitility.await;

import dev.terrace.api.RateLimitedLog;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** How often the folders of regions are listed. */
class RegionFoldersTest {

  @TempDir Path root;
  private final Configuration conf = new Configuration(false);
  private final AtomicLong nowNanos = new AtomicLong();
  private final RegionFolders folders =
      new RegionFolders(
          () -> Optional.of(conf),
          new RateLimitedLog(LoggerFactory.getLogger(RegionFoldersTest.class), nowNanos::get),
          nowNanos::get);

  /** Counts the lists of folders. */
  public static final class Counting extends RawLocalFileSystem {

    static final AtomicInteger LISTS = new AtomicInteger();

    @Override
    public FileStatus[] listStatus(org.apache.hadoop.fs.Path folder) throws IOException {
      LISTS.incrementAndGet();
      return super.listStatus(folder);
    }
  }

  @BeforeEach
  void setRoot() {
    conf.setClass("fs.file.impl", Counting.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.set("hbase.rootdir", root.toUri().toString());
    Counting.LISTS.set(0);
  }

  private static Owner region(int number) {
    return new Owner(String.format("%032x", number), "default:t", "f");
  }

  /** Asks for each region, as a sweep does, and returns how many are known. */
  private int known(int regions) {
    return (int)
        IntStream.range(0, regions)
            .filter(number -> folders.files(region(number), false).isPresent())
            .count();
  }

  private void awaitKnown(int regions) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(known(regions)).isEqualTo(regions));
  }

  private void pass(Duration time) {
    nowNanos.addAndGet(time.toNanos());
  }

  @Test
  void anAnswerHoldsForAWhile() throws IOException {
    File family = root.resolve("data/default/t/" + region(0).region() + "/f").toFile();
    assertThat(family.mkdirs()).isTrue();
    Path file = Files.createFile(family.toPath().resolve("0123456789abcdef0123456789abcdef"));
    awaitKnown(1);
    assertThat(folders.files(region(0), false)).contains(Set.of(file.getFileName().toString()));
    Files.delete(file);

    pass(RegionFolders.HOLDS.minusSeconds(1));
    assertThat(folders.files(region(0), false)).isPresent();
    pass(Duration.ofSeconds(1));
    assertThat(folders.files(region(0), false)).isEmpty();
    awaitKnown(1);
    assertThat(folders.files(region(0), false)).contains(Set.of());
  }

  @Test
  void mobFilesThatAreLinkedToInTheArchiveAreThere() throws IOException {
    Files.createDirectory(root.resolve("mobdir"));
    Path archive = root.resolve("archive/data/default/t/" + region(0).region() + "/f");
    Files.createDirectories(archive.resolve(".links-linked"));
    Files.createDirectory(archive.resolve(".links-dropped"));
    Files.createFile(archive.resolve("unlinked"));
    Files.createFile(archive.resolve(".links-linked/fedcba9876543210fedcba9876543210.clone"));

    await()
        .untilAsserted(() -> assertThat(folders.files(region(0), true)).contains(Set.of("linked")));
    await().untilAsserted(() -> assertThat(folders.files(region(0), false)).contains(Set.of()));
  }

  @Test
  void theFoldersOfManyRegionsAreListedOnceEachInATimeThatGrowsWithThem() {
    int regions = 2 * RegionFolders.REGIONS + 1;
    awaitKnown(regions);
    assertThat(Counting.LISTS).hasValue(regions);

    for (int i = 0; i < 3; i++) {
      pass(RegionFolders.HOLDS.minusSeconds(1));
      assertThat(known(regions)).isEqualTo(regions);
    }
    assertThat(Counting.LISTS).as("lists in one time").hasValue(regions);
    pass(Duration.ofSeconds(3));
    assertThat(known(regions)).as("known after that").isZero();
    awaitKnown(regions);
    assertThat(Counting.LISTS).as("lists in two times").hasValue(2 * regions);
  }

  @Test
  void regionsThatNobodyAsksForAreForgotten() {
    int regions = 2 * RegionFolders.REGIONS + 1;
    awaitKnown(regions);
    pass(RegionFolders.HOLDS.minusSeconds(1));
    assertThat(known(RegionFolders.REGIONS)).isEqualTo(RegionFolders.REGIONS);
    pass(Duration.ofSeconds(1));

    // Answers of the regions that are left hold as those of few do.
    await()
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(
            () -> {
              assertThat(known(RegionFolders.REGIONS)).isEqualTo(RegionFolders.REGIONS);
              assertThat(Counting.LISTS).hasValueGreaterThan(regions);
            });
  }
}
