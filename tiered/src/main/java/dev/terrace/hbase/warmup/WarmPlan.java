// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.warmup.HotList.Block;
import dev.terrace.hbase.warmup.HotList.Mark;
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

/**
 * What to read of a newly opened region.
 *
 * @param gone the number of blocks of files that the region no longer has
 * @param blocks the number of blocks in the pieces
 */
record WarmPlan(List<Piece> pieces, int blocks, int gone) {

  /** Blocks are neighbours if the gap is at most the first one's size divided by this. */
  private static final int BETWEEN_PART = 8;

  /** Maximum number of blocks in a piece. */
  static final int MAX_BLOCKS = 255;

  /**
   * Adjacent blocks of an open file that were in one tier.
   *
   * @param from the index of the first block
   * @param to the index after the last block
   * @param rank the urgency of the hottest block; the lowest rank comes first
   */
  record Piece(HStoreFile open, Listed listed, int from, int to, int rank) {

    private OfFile file() {
      return listed.file;
    }

    String name() {
      return file().file();
    }

    /** The server that had the blocks; empty if it is not known. */
    String server() {
      return listed.server;
    }

    List<Block> blocks() {
      return file().blocks().subList(from, to);
    }

    long offset() {
      return file().blocks().get(from).offset();
    }

    /** Where the next listed block begins. */
    long endOffset() {
      List<Block> all = file().blocks();
      return to < all.size() ? all.get(to).offset() : HotList.END_OF_OFFSETS;
    }
  }

  /** The blocks of a file, and the server that listed them. */
  record Listed(OfFile file, String server) {}

  /**
   * Reads a region's list. Files that it does not name are looked up in the lists of their previous
   * regions.
   *
   * @param calls counts calls of the store's file system
   * @param failed is given each list that cannot be read
   */
  static WarmPlan of(HRegion region, LongAdder calls, BiConsumer<Path, IOException> failed) {
    Map<String, HStoreFile> open = new HashMap<>();
    region.getStores().stream()
        .flatMap(store -> store.getStorefiles().stream())
        .forEach(file -> open.put(StoreFileNames.physical(file.getPath().getName()), file));
    FileSystem fileSystem = region.getRegionFileSystem().getFileSystem();
    Path own = region.getRegionFileSystem().getRegionDir();
    String prefix = HotListFile.prefix(region.getRegionInfo());
    Map<String, Listed> listed = read(fileSystem, own, prefix, calls, failed);
    Set<Path> others = new HashSet<>();
    open.forEach(
        (name, file) -> {
          if (!listed.containsKey(name)) {
            others.add(own);
            others.add(folderBefore(region, file.getPath()));
          }
        });
    if (prefix.equals(HotListFile.primaryPrefix())) {
      others.remove(own);
    }
    for (Path other : others) {
      Map<String, Listed> before =
          read(fileSystem, other, HotListFile.primaryPrefix(), calls, failed);
      before.keySet().retainAll(open.keySet());
      before.forEach(listed::putIfAbsent);
    }
    return of(listed, open);
  }

  private static Map<String, Listed> read(
      FileSystem fileSystem,
      Path folder,
      String prefix,
      LongAdder calls,
      BiConsumer<Path, IOException> failed) {
    Map<String, Listed> listed = new HashMap<>();
    try {
      HotListFile.read(fileSystem, folder, prefix, calls)
          .ifPresent(
              list ->
                  list.files()
                      .forEach(file -> listed.put(file.file(), new Listed(file, list.server()))));
    } catch (IOException e) {
      failed.accept(folder, e);
    }
    return listed;
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

  private static WarmPlan of(Map<String, Listed> listed, Map<String, HStoreFile> open) {
    List<Piece> pieces = new ArrayList<>();
    int found = 0;
    int gone = 0;
    for (Listed each : listed.values()) {
      HStoreFile reads = open.get(each.file.file());
      if (reads == null) {
        gone += each.file.blocks().size();
      } else {
        found += each.file.blocks().size();
        addPieces(pieces, reads, each);
      }
    }
    return new WarmPlan(pieces, found, gone);
  }

  private static void addPieces(List<Piece> pieces, HStoreFile open, Listed listed) {
    List<Block> blocks = listed.file.blocks();
    for (int from = 0; from < blocks.size(); ) {
      int end = from + 1;
      int rank = Mark.rank(blocks.get(from).mark());
      while (end < blocks.size() && belongsToPiece(blocks, from, end)) {
        rank = Math.min(rank, Mark.rank(blocks.get(end++).mark()));
      }
      pieces.add(new Piece(open, listed, from, end, rank));
      from = end;
    }
  }

  private static boolean belongsToPiece(List<Block> blocks, int from, int index) {
    Block first = blocks.get(from);
    Block block = blocks.get(index);
    return index - from < MAX_BLOCKS
        && Mark.tier(block.mark()) == Mark.tier(first.mark())
        && Mark.isProtected(block.mark()) == Mark.isProtected(first.mark())
        && isAdjacent(blocks.get(index - 1), block)
        && block.offset() + block.sizeBytes() - first.offset() <= PieceReader.MAX_BYTES;
  }

  /** Whether two blocks, in order of offset, may come with one read. */
  static boolean isAdjacent(Block one, Block other) {
    long between = other.offset() - one.offset() - one.sizeBytes();
    return between <= one.sizeBytes() / BETWEEN_PART;
  }
}
