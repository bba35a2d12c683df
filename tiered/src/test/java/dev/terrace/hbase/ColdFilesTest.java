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
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.EvictionCause;
import dev.terrace.tiered.TieredCache;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** When cold files leave tiers. */
class ColdFilesTest {

  private static final int BLOCK_BYTES = 66_000;
  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  @RegisterExtension final LogLines log = new LogLines(ColdFiles.class);
  @RegisterExtension final TestTiers open = new TestTiers();
  @TempDir Path folder;

  private final Set<String> cold = new HashSet<>();
  private TieredCache<Cacheable> tiers;
  private ColdFiles files;

  @BeforeEach
  void open() {
    tiers =
        open.open("hbase.terrace.ssd.paths", folder.toString(), "hbase.terrace.ssd.size", "64m");
    files = new ColdFiles(tiers, () -> cold);
  }

  /**
   * While the disk is slow, a small DRAM tier refuses some: blocks on their way down hold memory.
   */
  private void put(String file, int from, int to) {
    for (int offset = from; offset < to; offset++) {
      HFileBlock block = TestBlocks.data(file, offset, BLOCK_BYTES);
      long at = offset;
      await().until(() -> tiers.put(file, at, block, DATA).isPresent());
    }
  }

  private long blocks(String tier) {
    return tiers.stats().get(tier).space().blocks();
  }

  @Test
  void theyLeaveATierThatIsFull() {
    cold.add("old");
    put("old", 0, 100);
    files.leave();
    assertThat(tiers.usage("old").blocks()).as("all tiers have room").isEqualTo(100);

    put("young", 0, 200);
    for (int offset = 200; open.highest().hasFreeRoom(); offset++) {
      put("young", offset, offset + 1);
    }
    long coldInDram = open.highest().usage("old").blocks();
    assertThat(coldInDram).isPositive();
    files.leave();
    assertThat(tiers.stats().get("dram").events().evictions())
        .containsEntry(EvictionCause.FILE, coldInDram);
    assertThat(open.highest().usage("old").blocks()).isZero();
    assertThat(tiers.stats().get("ssd").events().evictions()).as("there is room").isEmpty();
    assertThat(log.lines())
        .containsExactly("INFO Cold files left the full tier dram: blocks=" + coldInDram);
  }

  @Test
  void hotFilesStay() {
    put("young", 0, 300);
    long before = blocks("dram");
    files.leave();
    assertThat(blocks("dram")).isEqualTo(before);
    assertThat(log.lines()).isEmpty();
  }
}
