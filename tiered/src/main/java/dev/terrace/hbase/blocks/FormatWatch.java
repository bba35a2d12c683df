// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.StoreFileNames;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.slf4j.LoggerFactory;

/**
 * Keeps data blocks from readers that expect the other form. HBase caches them packed, as they are
 * in the file, if {@code hbase.block.data.cachecompressed} is set, and does not check the form:
 * after a table's setting changes, its reads would fail while the old form is cached. Thread-safe.
 */
public final class FormatWatch {

  private static final int PACKED = 1;
  private static final int UNPACKED = 2;

  private final RateLimitedLog log;

  /**
   * The form that the open stores expect, for files that have two: compressed or encrypted files.
   * If two tables, such as a clone and its original, expect different forms, neither gets a hit.
   */
  private volatile Map<String, Integer> expected = new ConcurrentHashMap<>();

  /** Set once, by the first packed block or store. Until then a hit pays next to nothing. */
  private volatile boolean watching;

  public FormatWatch(LongSupplier nanoClock) {
    this.log = new RateLimitedLog(LoggerFactory.getLogger(FormatWatch.class), nanoClock);
  }

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

  /** Records the form that the stores of a newly opened region expect. */
  public synchronized void opened(Stream<HStore> stores) {
    Map<String, Integer> found = new HashMap<>();
    learn(stores, found);
    expected.putAll(found);
  }

  /** Records the form that all open stores expect. Called every few seconds. */
  public synchronized void look(Stream<HStore> stores) {
    Map<String, Integer> found = new ConcurrentHashMap<>();
    learn(stores, found);
    expected = found;
  }

  private void learn(Stream<HStore> stores, Map<String, Integer> found) {
    stores.forEach(
        store -> {
          boolean packs = store.getCacheConfig().shouldCacheCompressed(BlockCategory.DATA);
          if (packs) {
            expectPacked();
          }
          for (HStoreFile file : store.getStorefiles()) {
            StoreFileReader reader = file.getReader();
            if (reader != null
                && reader.getHFileReader().getFileContext().isCompressedOrEncrypted()) {
              String name = StoreFileNames.physical(file.getPath().getName());
              found.merge(name, packs ? PACKED : UNPACKED, (one, other) -> one | other);
            }
          }
        });
  }

  /** Whether a file's readers can read this block of it. */
  public boolean isReadable(String file, Cacheable block) {
    if (!watching || !block.getBlockType().isData()) {
      return true;
    }
    Integer form = expected.get(file);
    boolean isReadable = form == null || form == (isPacked(block) ? PACKED : UNPACKED);
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
