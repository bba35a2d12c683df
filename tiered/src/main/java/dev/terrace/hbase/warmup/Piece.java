// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.hbase.warmup.HotList.Block;
import dev.terrace.hbase.warmup.HotList.OfFile;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/** Adjacent blocks of an open file that were in one tier: what one thread warms at a time. */
final class Piece {

  /** The most urgent first: that with the hottest block. */
  static final Comparator<Piece> ORDER =
      Comparator.<Piece>comparingInt(piece -> piece.rank)
          .thenComparing(Piece::name)
          .thenComparingLong(piece -> piece.blocks().get(0).offset());

  final Warming warming;
  final HStoreFile open;

  /** The server that had the blocks; empty if it is not known. */
  final String server;

  /** The outcomes of the blocks, by their offsets, that need no read of the store. */
  final Map<Long, WarmOutcome> done = new HashMap<>();

  private final OfFile file;
  private final int from;
  private final int to;
  private final int rank;

  /**
   * A piece of a listed file.
   *
   * @param from the index of the first block
   * @param to the index after the last block
   */
  Piece(Warming warming, HStoreFile open, String server, OfFile file, int from, int to) {
    this.warming = warming;
    this.open = open;
    this.server = server;
    this.file = file;
    this.from = from;
    this.to = to;
    this.rank = blocks().stream().mapToInt(Block::rank).min().orElseThrow();
  }

  String name() {
    return file.file();
  }

  List<Block> blocks() {
    return file.blocks().subList(from, to);
  }

  int bytes() {
    return blocks().stream().mapToInt(Block::sizeBytes).sum();
  }

  /** Where the next listed block begins. */
  long endOffset() {
    List<Block> all = file.blocks();
    return to < all.size() ? all.get(to).offset() : HotList.END_OF_OFFSETS;
  }

  /** Whether the region still reads the file. */
  boolean isRead() {
    return warming.isActive && open.getReader() != null && !open.isCompactedAway();
  }
}
