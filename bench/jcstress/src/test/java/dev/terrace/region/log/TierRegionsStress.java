// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.index.TestPages;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A region is added while a lookup runs, without a volatile field: a lookup that gets an address in
 * it from the index finds the region in the list.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "The lookup came first.")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The new region.")
@Outcome(expect = FORBIDDEN, desc = "An address in a region that is not in the list, or not whole.")
@State
public class TierRegionsStress {

  private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private final TierRegions regions = new TierRegions();
  private final CacheFile file = TestPages.file();
  private final RegionIndex index = TestPages.index();

  @Actor
  public void grow() {
    Region added = regions.add(0, 1, (number, slot) -> new Region(number, slot, null, null)).get(0);
    index.insert(file, 0, BlockAddress.of(added.number, 0, 1), TRAITS, true);
  }

  @Actor
  public void look(I_Result r) {
    long address = index.address(file, 0);
    if (address != BlockAddress.NONE) {
      r.r1 = isWhole(BlockAddress.region(address)) ? 1 : 2;
    }
  }

  private boolean isWhole(int number) {
    try {
      Region region = regions.get(number);
      return region.number == number && region.state() == Region.State.UNREAD;
    } catch (IndexOutOfBoundsException e) {
      return false;
    }
  }

  @Arbiter
  public void giveBackPages() {
    TestPages.clear(index, file);
  }
}
