// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.warmup.HotList.Block;
import dev.terrace.hbase.warmup.HotList.OfFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/** What to read of a newly opened region. */
final class WarmPlan {

  /** Blocks are neighbours if the gap is at most the first one's size divided by this. */
  private static final int BETWEEN_PART = 8;

  /** Maximum number of blocks in a piece. */
  static final int MAX_BLOCKS = 255;

  final List<Piece> pieces = new ArrayList<>();

  /** The number of blocks in the pieces. */
  int blocks;

  /** The number of blocks of files that the region no longer has. */
  final int gone;

  private final Warming warming;
  private final LongAdder calls;
  private final BiConsumer<Path, IOException> failed;

  /** The region's files that no list has named. */
  private final Map<String, HStoreFile> open = new HashMap<>();

  /**
   * Reads a region's list. Files that it does not name are looked up in the lists of their previous
   * regions.
   *
   * @param calls counts calls of the store's file system
   * @param failed is given each list that cannot be read
   */
  WarmPlan(Warming warming, LongAdder calls, BiConsumer<Path, IOException> failed) {
    this.warming = warming;
    this.calls = calls;
    this.failed = failed;
    HRegion region = warming.region;
    region.getStores().stream()
        .flatMap(store -> store.getStorefiles().stream())
        .forEach(file -> open.put(StoreFileNames.physical(file.getPath().getName()), file));
    Path own = region.getRegionFileSystem().getRegionDir();
    String prefix = HotListFile.prefix(region.getRegionInfo());
    this.gone = addListed(own, prefix);
    Set<Path> others = new HashSet<>();
    for (HStoreFile file : open.values()) {
      others.add(own);
      others.add(folderBefore(region, file.getPath()));
    }
    if (prefix.equals(HotListFile.primaryPrefix())) {
      others.remove(own);
    }
    for (Path other : others) {
      int unused = addListed(other, HotListFile.primaryPrefix());
    }
  }

  /** Adds what a list has of open files. Returns the number of its blocks of other files. */
  private int addListed(Path folder, String prefix) {
    FileSystem fileSystem = warming.region.getRegionFileSystem().getFileSystem();
    int others = 0;
    try {
      HotList list = HotListFile.read(fileSystem, folder, prefix, calls).orElse(HotList.EMPTY);
      for (OfFile file : list.files()) {
        HStoreFile reads = open.remove(file.file());
        if (reads == null) {
          others += file.blocks().size();
        } else {
          add(reads, file, list.server());
        }
      }
    } catch (IOException e) {
      failed.accept(folder, e);
    }
    return others;
  }

  /** The directory of a file's previous region, which was split, merged or cloned. */
  private static Path folderBefore(HRegion region, Path file) {
    Path own = region.getRegionFileSystem().getRegionDir();
    String parent = StoreFileNames.parentRegion(file.getName());
    if (parent != null) {
      return new Path(own.getParent(), parent);
    }
    if (!HFileLink.isHFileLink(file)) {
      return own;
    }
    try {
      Configuration conf = region.getReadOnlyConfiguration();
      Path origin = HFileLink.buildFromHFileLinkPattern(conf, file).getOriginPath();
      return origin.getParent().getParent();
    } catch (IOException e) {
      return own;
    }
  }

  private void add(HStoreFile reads, OfFile file, String server) {
    List<Block> listed = file.blocks();
    blocks += listed.size();
    for (int from = 0; from < listed.size(); ) {
      int end = from + 1;
      while (end < listed.size() && belongsToPiece(listed, from, end)) {
        end++;
      }
      pieces.add(new Piece(warming, reads, server, file, from, end));
      from = end;
    }
  }

  private static boolean belongsToPiece(List<Block> blocks, int from, int index) {
    Block first = blocks.get(from);
    Block block = blocks.get(index);
    return index - from < MAX_BLOCKS
        && block.tier() == first.tier()
        && block.isProtected() == first.isProtected()
        && isAdjacent(blocks.get(index - 1), block)
        && block.offset() + block.sizeBytes() - first.offset() <= PieceReader.MAX_BYTES;
  }

  /** Whether two blocks, in order of offset, may come with one read. */
  static boolean isAdjacent(Block one, Block other) {
    long between = other.offset() - one.offset() - one.sizeBytes();
    return between <= one.sizeBytes() / BETWEEN_PART;
  }
}
