// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.region.device.Tombstones;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.TombstoneList.Eviction;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.index.TestPages;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * An eviction notes its block in the list and then removes it from the index; a recovery adds it to
 * the index and then asks the list: the block does not come back.
 */
@JCStressTest
@Outcome(id = "false", expect = ACCEPTABLE, desc = "The block is gone.")
@Outcome(expect = FORBIDDEN, desc = "An evicted block came back.")
@State
public class RecoveredAndEvictedStress {

  private static final long ADDRESS = BlockAddress.of(7, 0, 1);
  private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private final Tombstones evictions = new Tombstones(null, () -> 0);
  private final CacheFile file = TestPages.file();
  private final RegionIndex index = TestPages.index();

  @Actor
  public void evict() {
    evictions.add(new Eviction(file.name(), 0, 0, 2));
    index.remove(file, 0);
  }

  @Actor
  public void recover() {
    index.insert(file, 0, ADDRESS, TRAITS, false);
    if (evictions.keepsOut(file.name(), 0, 1)) {
      index.remove(file, 0, ADDRESS);
    }
  }

  @Arbiter
  public void look(Z_Result r) {
    r.r1 = index.address(file, 0) != BlockAddress.NONE;
    TestPages.clear(index, file);
  }
}
