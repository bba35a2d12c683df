// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.memory.DirectMemory;
import java.nio.ByteBuffer;

/** Indexes and tables over a pool of pages that all of them share: a test has a million of them. */
public final class TestPages {

  static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private static final IndexPages POOL =
      new IndexPages(64, new DirectMemory(ByteBuffer::allocateDirect));

  private TestPages() {}

  /** A file without blocks. */
  public static CacheFile file() {
    return new CacheFiles().hold("file");
  }

  /** An index without blocks. */
  public static RegionIndex index() {
    return new RegionIndex(POOL);
  }

  /** Gives the pages of an index back to the pool. */
  public static void clear(RegionIndex index, CacheFile file) {
    index.removeRange(file, 0, IndexSlot.MAX_OFFSET);
  }

  /** The offset of a block; those of neighbours in a table follow one another. */
  static long offset(int key) {
    return IndexSlot.offsetOfKey(key);
  }

  /** An address that names its key, in a region. */
  static long address(int key, int region) {
    return BlockAddress.of(region, 0, key + 1);
  }

  static void insert(RegionIndex index, CacheFile file, int key, int region) {
    index.insert(file, offset(key), address(key, region), TRAITS, true);
  }

  /** 0 if the block is absent, 1 if it is at its address, and 2 if it is at another one's. */
  static int found(RegionIndex index, CacheFile file, int key, int region) {
    long address = index.address(file, offset(key));
    return address == BlockAddress.NONE ? 0 : address == address(key, region) ? 1 : 2;
  }
}
