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
package dev.terrace.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.hbase.CacheConfiguration;
import dev.terrace.bench.hbase.RunFolders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoCachesTest {

  @TempDir Path parent;

  private static CachePlace place(Path directory, long bytes) {
    return new CachePlace(directory, new ByteSize(bytes));
  }

  private static DemoOptions options(ByteSize dram, List<CachePlace> pmem, List<CachePlace> ssd) {
    return new DemoOptions(
        1_000,
        1,
        1,
        1_000,
        dram,
        pmem,
        ssd,
        ByteSize.ofMebibytes(512),
        Duration.ofSeconds(1),
        1,
        0.99,
        null,
        false,
        Restart.NONE,
        true);
  }

  @Test
  void terraceGetsTheFoldersOfItsTiers() throws Exception {
    Path other = Files.createDirectory(parent.resolve("other"));
    DemoOptions options =
        options(
            new ByteSize(0),
            List.of(place(parent, 32 << 20)),
            List.of(place(parent, 16 << 20), place(other, 16 << 20)));
    RunFolders folders =
        RunFolders.create("demo-", parent, List.of(parent), List.of(parent, other));

    CacheConfiguration terrace = DemoCaches.terrace(options, folders);

    assertThat(terrace.withDropInJar()).isTrue();
    assertThat(terrace.settings())
        .containsEntry("hbase.terrace.dram.size", "0")
        .containsEntry("hbase.terrace.pmem.paths", folders.pmem().get(0).toString())
        .containsEntry("hbase.terrace.ssd.paths", folders.ssd().get(0) + "," + folders.ssd().get(1))
        .containsEntry("hbase.terrace.ssd.size", Integer.toString(32 << 20));
    assertThat(options.compare()).isFalse();
    assertThat(options.tiers()).hasSize(3);
  }

  @Test
  void hbasesOwnCacheHasTheSameMemory() {
    DemoOptions options = options(ByteSize.ofMebibytes(128), List.of(), List.of());

    CacheConfiguration own = DemoCaches.ofHBase(options);

    assertThat(own.withDropInJar()).isFalse();
    assertThat(own.settings()).containsEntry("hbase.bucketcache.size", "128");
    assertThat(options.diskBytes().bytes()).isGreaterThan(3 * options.tableBytes());
  }
}
