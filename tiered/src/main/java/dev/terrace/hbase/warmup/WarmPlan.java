// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.warmup.HeatList.Mark;
import dev.terrace.hbase.warmup.HeatList.OfFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * The pieces to read of a newly opened region, the hottest first. A piece is adjacent blocks of an
 * open file that were in one tier. Guarded by its caller, except {@link #open}.
 */
final class WarmPlan {

  /** Blocks are neighbours if the gap is at most the first one's size divided by this. */
  private static final int BETWEEN_PART = 8;

  /** Maximum number of blocks in a piece. */
  static final int MAX_BLOCKS = 255;

  private final Map<String, HStoreFile> open;

  /** The most urgent first. */
  private final List<Piece> pieces = new ArrayList<>();

  /** The number of blocks of files that the region no longer has. */
  private final int gone;

  private final int blocks;
  private int next;

  /** The number of blocks of pieces that are not done. */
  private int left;

  /**
   * A range of a file's blocks.
   *
   * @param from the index of the first block
   * @param to the index after the last block
   * @param rank the urgency of the hottest block; the lowest rank comes first
   */
  record Piece(OfFile file, int from, int to, int rank) {}

  private WarmPlan(Collection<OfFile> listed, Map<String, HStoreFile> open) {
    this.open = open;
    int found = 0;
    int notFound = 0;
    for (OfFile file : listed) {
      if (open.containsKey(file.file())) {
        addPieces(file);
        found += file.blocks();
      } else {
        notFound += file.blocks();
      }
    }
    this.blocks = found;
    this.left = found;
    this.gone = notFound;
    pieces.sort(Comparator.comparingInt(Piece::rank));
  }

  private static Map<String, HStoreFile> open(HRegion region) {
    Map<String, HStoreFile> open = new HashMap<>();
    region.getStores().stream()
        .flatMap(store -> store.getStorefiles().stream())
        .forEach(file -> open.put(StoreFileNames.physical(file.getPath().getName()), file));
    return open;
  }

  /**
   * Reads a region's list. Files that it does not name are looked up in the lists of their previous
   * regions.
   *
   * @param failed is given each list that cannot be read
   */
  static WarmPlan of(HRegion region, BiConsumer<Path, IOException> failed) {
    Map<String, HStoreFile> open = open(region);
    FileSystem fileSystem = region.getRegionFileSystem().getFileSystem();
    Map<String, OfFile> listed = new LinkedHashMap<>();
    Path own = region.getRegionFileSystem().getRegionDir();
    String prefix = HeatFile.prefix(region.getRegionInfo());
    add(listed, fileSystem, own, prefix, failed);
    Set<Path> others = new HashSet<>();
    open.forEach(
        (name, file) -> {
          if (!listed.containsKey(name)) {
            others.add(own);
            others.add(folderBefore(region, file.getPath(), own));
          }
        });
    if (prefix.equals(HeatFile.primaryPrefix())) {
      others.remove(own);
    }
    for (Path other : others) {
      Map<String, OfFile> of = new HashMap<>();
      add(of, fileSystem, other, HeatFile.primaryPrefix(), failed);
      of.keySet().retainAll(open.keySet());
      of.forEach(listed::putIfAbsent);
    }
    return new WarmPlan(listed.values(), open);
  }

  private static void add(
      Map<String, OfFile> listed,
      FileSystem fileSystem,
      Path folder,
      String prefix,
      BiConsumer<Path, IOException> failed) {
    try {
      HeatFile.read(fileSystem, folder, prefix)
          .ifPresent(read -> read.files().forEach(file -> listed.put(file.file(), file)));
    } catch (IOException e) {
      failed.accept(folder, e);
    }
  }

  /** The directory of a file's previous region, which was split, merged or cloned. */
  private static Path folderBefore(HRegion region, Path file, Path own) {
    String name = file.getName();
    String parent = StoreFileNames.parentRegion(name);
    if (parent != null) {
      return new Path(own.getParent(), parent);
    }
    if (!HFileLink.isHFileLink(name)) {
      return own;
    }
    Configuration conf = region.getReadOnlyConfiguration();
    try {
      Path table =
          CommonFSUtils.getTableDir(
              CommonFSUtils.getRootDir(conf), HFileLink.getReferencedTableName(name));
      return new Path(table, HFileLink.getReferencedRegionName(name));
    } catch (IOException e) {
      return own;
    }
  }

  private void addPieces(OfFile file) {
    for (int from = 0; from < file.blocks(); ) {
      int end = from + 1;
      int rank = Mark.rank(file.marks()[from]);
      while (end < file.blocks() && belongsToPiece(file, from, end)) {
        rank = Math.min(rank, Mark.rank(file.marks()[end++]));
      }
      pieces.add(new Piece(file, from, end, rank));
      from = end;
    }
  }

  private static boolean belongsToPiece(OfFile file, int from, int block) {
    byte first = file.marks()[from];
    byte mark = file.marks()[block];
    return block - from < MAX_BLOCKS
        && Mark.tier(mark) == Mark.tier(first)
        && Mark.isProtected(mark) == Mark.isProtected(first)
        && adjacent(file, block - 1, block)
        && file.offsets()[block] + file.sizes()[block] - file.offsets()[from]
            <= PieceReader.MAX_BYTES;
  }

  /** Whether two blocks, in order of offset, may come with one read. */
  static boolean adjacent(OfFile file, int one, int other) {
    long between = file.offsets()[other] - file.offsets()[one] - file.sizes()[one];
    return between <= file.sizes()[one] / BETWEEN_PART;
  }

  /** Whether there is a piece that no thread has taken. */
  boolean hasNext() {
    return next < pieces.size();
  }

  /** Whether all pieces are done. */
  boolean isDone() {
    return left == 0;
  }

  /** The urgency of the next piece; the lowest rank comes first. */
  int rank() {
    return pieces.get(next).rank();
  }

  /** Takes the next piece. Call {@link #done} afterwards. */
  Piece take() {
    return pieces.get(next++);
  }

  void done(Piece piece) {
    left -= piece.to() - piece.from();
  }

  HStoreFile open(OfFile file) {
    return open.get(file.file());
  }

  int blocks() {
    return blocks;
  }

  int gone() {
    return gone;
  }

  /** The number of blocks in pieces that are not done. */
  int left() {
    return left;
  }
}
