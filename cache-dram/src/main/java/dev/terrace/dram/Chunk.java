// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * A chunk of direct memory, divided into pages; its free runs carry their own tags. Not
 * thread-safe: {@link PageAllocator} guards it, except for {@link #slice}.
 */
final class Chunk {

  /*
   * A free run describes itself in its own memory, so that bookkeeping needs no heap (boundary
   * tags: Knuth, TAOCP vol. 1, section 2.5). Besides, a chunk keeps one bit per page, set for the
   * first and the last page of each free run. So if the page next to an allocated run has its bit
   * set, it is the edge of a free run.
   *
   * A page number uses all 32 bits and may be negative, so page numbers are only subtracted, and
   * compared for equality.
   *
   *   first page:  | pages (int) | previous run in bin (int) | next run in bin (int) | ...
   *   last page:   ...                                             | pages (int) |  <- last 4 bytes
   */

  static final int PAGE_BYTES = 512;
  static final int PAGE_SHIFT = 17;
  static final int MAX_PAGES = 1 << PAGE_SHIFT;
  static final int MAX_BYTES = MAX_PAGES * PAGE_BYTES;

  /** One less than page numbers allow, so that no page is numbered {@link FreeBins#NONE}. */
  static final int MAX_CHUNKS = (1 << (Integer.SIZE - PAGE_SHIFT)) - 1;

  private static final int PREVIOUS = Integer.BYTES;
  private static final int NEXT = 2 * Integer.BYTES;
  private static final int TAIL = PAGE_BYTES - Integer.BYTES;

  final int firstPage;
  final int pages;
  private final ByteBuf memory;
  private final ByteBuffer bytes;
  private final BitSet edges;
  private int freePages;
  private boolean retired;

  Chunk(int index, ByteBuf memory) {
    this.firstPage = index << PAGE_SHIFT;
    this.pages = memory.capacity() / PAGE_BYTES;
    this.memory = memory;
    this.bytes = memory.nioBuffer(0, pages * PAGE_BYTES);
    this.edges = new BitSet(pages + 1);
    // A bit behind the pages stays set: to clear the last set bit is to search for the one before.
    edges.set(pages);
  }

  static int indexOf(int page) {
    return page >>> PAGE_SHIFT;
  }

  /** The memory from a page on, {@code sizeBytes} long. */
  ByteBuffer slice(int page, int sizeBytes) {
    return bytes.slice(position(page), sizeBytes);
  }

  int freePages() {
    return freePages;
  }

  boolean isRetired() {
    return retired;
  }

  /** Takes the chunk out of use. The caller has erased its free runs. */
  void retire() {
    retired = true;
  }

  /**
   * Counts freed pages of a retired chunk, and releases its memory once all are free.
   *
   * @return whether the memory was released
   */
  boolean freeRetired(int freedPages) {
    freePages += freedPages;
    return freePages == pages && memory.release();
  }

  /** The first free run at or after a page, or {@link FreeBins#NONE}; not called within a run. */
  int nextFreeRun(int page) {
    int edge = edges.nextSetBit(page - firstPage);
    return edge == pages ? FreeBins.NONE : firstPage + edge;
  }

  void writeFreeRun(int page, int runPages) {
    int position = position(page);
    bytes.putInt(position, runPages);
    bytes.putInt(position + (runPages - 1) * PAGE_BYTES + TAIL, runPages);
    edges.set(page - firstPage);
    edges.set(page - firstPage + runPages - 1);
    freePages += runPages;
  }

  void eraseFreeRun(int page, int runPages) {
    edges.clear(page - firstPage);
    edges.clear(page - firstPage + runPages - 1);
    freePages -= runPages;
  }

  int freeRunPages(int page) {
    return bytes.getInt(position(page));
  }

  /** Pages of the free run that ends right before a page; 0 if there is none. */
  int freePagesBefore(int page) {
    int last = page - 1;
    return page == firstPage || !isEdge(last) ? 0 : bytes.getInt(position(last) + TAIL);
  }

  /** Pages of the free run that starts at a page; 0 if there is none. */
  int freePagesAt(int page) {
    return page == firstPage + pages || !isEdge(page) ? 0 : freeRunPages(page);
  }

  int previousInBin(int page) {
    return bytes.getInt(position(page) + PREVIOUS);
  }

  void setPreviousInBin(int page, int previous) {
    bytes.putInt(position(page) + PREVIOUS, previous);
  }

  int nextInBin(int page) {
    return bytes.getInt(position(page) + NEXT);
  }

  void setNextInBin(int page, int next) {
    bytes.putInt(position(page) + NEXT, next);
  }

  private int position(int page) {
    return (page - firstPage) * PAGE_BYTES;
  }

  private boolean isEdge(int page) {
    return edges.get(page - firstPage);
  }
}
