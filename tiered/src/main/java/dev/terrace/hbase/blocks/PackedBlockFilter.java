// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.CacheFile;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.FileFacts;
import dev.terrace.hbase.files.OnlineRegion;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Keeps data blocks from readers that expect the other form. HBase caches them packed, as they are
 * in the file, if {@code hbase.block.data.cachecompressed} is set, and does not check the form:
 * after a table's setting changes, its reads would fail while the old form is cached. Thread-safe.
 */
public final class PackedBlockFilter {

  private final RateLimitedLog log = new RateLimitedLog(PackedBlockFilter.class);

  /** Set once, by the first packed block or store. Until then a hit pays next to nothing. */
  private volatile boolean watching;

  /**
   * Whether a block is packed, as in its file, so that its cells cannot be read. HBase's test kit
   * makes blocks in neither form: without the header they are as large on disk as unpacked.
   */
  static boolean isPacked(Cacheable block) {
    return block instanceof HFileBlock hfileBlock
        && hfileBlock.getBlockType().isData()
        && !hfileBlock.isUnpacked()
        && hfileBlock.getOnDiskSizeWithHeader() - hfileBlock.headerSize()
            != hfileBlock.getUncompressedSizeWithoutHeader();
  }

  /** Records that there is a packed block, or a store that expects packed ones. */
  void expectPacked() {
    if (!watching) {
      watching = true;
    }
  }

  /** Records that a region is open here, with stores that may expect packed blocks. */
  public void listed(OnlineRegion region) {
    if (!watching && region.files().stream().anyMatch(file -> file.expects(true))) {
      expectPacked();
    }
  }

  /**
   * Whether a file's readers can read this block of it. If two tables, such as a clone and its
   * original, expect different forms, neither gets a hit.
   */
  public boolean isReadable(CacheFile file, Cacheable block) {
    if (!watching || !block.getBlockType().isData()) {
      return true;
    }
    boolean isReadable = FileFacts.isReadable(file, isPacked(block));
    if (!isReadable) {
      log.warn(
          "Cached blocks are treated as misses, because they do not match the table's setting of"
              + " hbase.block.data.cachecompressed (it changed, or differs between a table and a"
              + " clone): file="
              + file,
          null);
    }
    return isReadable;
  }
}
