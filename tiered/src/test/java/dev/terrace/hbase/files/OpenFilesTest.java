// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** How often the stores of a server are walked. */
class OpenFilesTest {

  private static final long WALK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final String FILE = "0123456789abcdef0123456789abcdef";

  private final AtomicInteger walks = new AtomicInteger();
  private final AtomicLong nowNanos = new AtomicLong();
  private final FileCatalog known = new FileCatalog(FILES, this::regions, nowNanos::get);

  private Stream<OnlineRegion> regions() {
    walks.incrementAndGet();
    nowNanos.addAndGet(WALK_NANOS);
    Path path = new Path("/hbase/data/default/t/region/f/" + FILE);
    OpenStoreFile file = OpenPaths.file(path, Stage.OPEN);
    return Stream.of(new OnlineRegion("region", true, List.of(file)));
  }

  @Test
  void allThatAskShareAWalk() {
    for (int number = 0; number < 250; number++) {
      known.learnOpenFiles();
    }
    assertThat(file("unknown").origin()).isEmpty();
    assertThat(file(FILE).origin()).isEqualTo("1 region default:t");

    assertThat(walks).hasValue(1);
  }

  @Test
  void aWalkHoldsForAHundredTimesItsTime() {
    known.learnOpenFiles();
    nowNanos.addAndGet(99 * WALK_NANOS);
    known.learnOpenFiles();
    assertThat(walks).hasValue(1);

    nowNanos.addAndGet(2 * WALK_NANOS);
    known.learnOpenFiles();
    assertThat(walks).hasValue(2);
  }

  @Test
  void lookupsDoNotWalk() {
    assertThat(known.owner(file(FILE)).table()).isNull();
    assertThat(known.isShared(file(FILE))).isFalse();
    assertThat(walks).hasValue(0);
  }
}
