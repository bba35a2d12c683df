// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.jcstress.Leased;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.index.TestPages;

/** One block in one region, which readers share, as a tier does it. */
final class SharingTable {

  private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final long ADDRESS = BlockAddress.of(7, 0, 1);

  private final CacheFile file = TestPages.file();
  private final RegionIndex index = TestPages.index();
  private volatile boolean sharing = true;
  private final SharedBlocks<Leased> shared =
      new SharedBlocks<>(new Leased.Codec(), 4, region -> sharing);

  SharingTable() {
    index.insert(file, 0, ADDRESS, TRAITS, true);
  }

  /** Shares an object, whose one reference becomes the table's. Releases it if it may not. */
  void share(Leased block) {
    IndexEntry entry = index.find(file, 0);
    if (entry == null) {
      block.release();
      return;
    }
    shared.share(new SharedBlocks.Shared<>(entry, () -> {}), block, index);
  }

  void evict() {
    index.remove(file, 0);
    shared.remove(file, 0);
  }

  /** Ends all sharing, as the worker does when readers hold too many regions. */
  void endSharing() {
    sharing = false;
    shared.removeRegions(region -> true);
  }

  /** What a lookup reads from the object; 0 if it finds none. */
  int bytesFound() {
    SharedBlocks.Shared<Leased> found = shared.find(file, 0);
    if (found == null) {
      return 0;
    }
    int bytes = found.block().bytes();
    found.block().release();
    return bytes;
  }

  /** Gives the pages of the index back. */
  void clear() {
    TestPages.clear(index, file);
  }
}
