// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.Poison;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/**
 * Hands out the pages of a fixed amount of direct memory. Thread-safe.
 *
 * <p>The memory is obtained chunk by chunk, at once or in the background, up to a hard limit; pages
 * of a chunk are handed out as soon as it has been obtained. A block gets one run of adjacent
 * pages, the best fit; if no free run is long enough, it gets several. Rounding wastes half a page
 * per block on average.
 *
 * <p>Freed pages rest in a queue, so that a reader that uses a block after its release mostly still
 * finds its bytes. Resting pages are reused early for a block that finds no other room.
 */
final class PageAllocator {

  /**
   * A run of adjacent pages that belong to one block, and the block's next run if one was not
   * enough.
   */
  record PageRun(int firstPage, int pages, PageRun next) {

    int count() {
      return 1 + (next == null ? 0 : next.count());
    }

    int allPages() {
      return pages + (next == null ? 0 : next.allPages());
    }
  }

  /** Runs of a block are not cut smaller than this, except for the last one. */
  private static final int MIN_CUT_PAGES = 16;

  private static final int MAX_RUNS = 256;
  private static final int LONGEST_SEARCH = 32;

  /** At most one page in this many rests: half of what the policy leaves free. */
  private static final int RESTING_PART = 64;

  /** The size of HBase's own buffer pool with the usual number of handlers. */
  private static final long MAX_RESTING_BYTES = 128L << 20;

  /** Maximum number of resting blocks that are reused early so that a block gets a single run. */
  private static final int MAX_WOKEN = 16;

  private final ByteBufAllocator source;
  private final FreeBins bins = new FreeBins();
  private volatile Chunk[] chunks = {};
  private long capacityPages;
  private long wantedPages;
  private long comingPages;
  private final Queue<PageRun> resting = new ArrayDeque<>();
  private final boolean poison;
  private long freePages;
  private long restingPages;
  private long allocatedPages;

  PageAllocator(ByteBufAllocator source) {
    this(source, Poison.isOn());
  }

  /** No memory yet. Overwrites freed pages if {@code poison}. */
  PageAllocator(ByteBufAllocator source, boolean poison) {
    this.source = source;
    this.poison = poison;
  }

  static int pagesFor(int sizeBytes) {
    return (int) (((long) sizeBytes + Chunk.PAGE_BYTES - 1) / Chunk.PAGE_BYTES);
  }

  /** Bytes that can be handed out in total. */
  synchronized long capacityBytes() {
    return capacityPages * Chunk.PAGE_BYTES;
  }

  /** The capacity once all that is wanted has been obtained. */
  synchronized long wantedBytes() {
    return wantedPages * Chunk.PAGE_BYTES;
  }

  synchronized boolean isGrowing() {
    return capacityPages < wantedPages;
  }

  synchronized long allocatedBytes() {
    return allocatedPages * Chunk.PAGE_BYTES;
  }

  /** The memory of a block: one buffer per run, together exactly {@code sizeBytes}. */
  ByteBuffer[] buffers(PageRun first, int sizeBytes) {
    ByteBuffer[] buffers = new ByteBuffer[first.count()];
    int left = sizeBytes;
    PageRun run = first;
    for (int i = 0; i < buffers.length; i++, run = run.next()) {
      int length = Math.min(left, run.pages() * Chunk.PAGE_BYTES);
      buffers[i] = slice(run, length);
      left -= length;
    }
    return buffers;
  }

  private ByteBuffer slice(PageRun run, int lengthBytes) {
    return chunks[Chunk.indexOf(run.firstPage())].slice(run.firstPage(), lengthBytes);
  }

  /**
   * Allocates pages.
   *
   * @return the runs, together {@code pages} long; null if the free pages are too few or too
   *     scattered
   */
  synchronized PageRun allocate(int pages) {
    if (pages > freePages + restingPages) {
      return null;
    }
    int page = bestFit(pages);
    for (int i = 0; page == FreeBins.NONE && i < MAX_WOKEN && wakeOldest(); i++) {
      page = bestFit(pages);
    }
    if (page != FreeBins.NONE) {
      return new PageRun(cut(page, pages), pages, null);
    }
    while (pages > freePages) {
      wakeOldest();
    }
    PageRun runs = gather(pages);
    if (runs == null && wakeAll()) {
      runs = gather(pages);
    }
    return runs;
  }

  /** Frees a block's runs, from this one on. */
  void free(PageRun first) {
    if (poison) {
      for (PageRun run = first; run != null; run = run.next()) {
        Poison.fill(slice(run, run.pages() * Chunk.PAGE_BYTES));
      }
    }
    rest(first);
  }

  private synchronized void rest(PageRun first) {
    int pages = first.allPages();
    allocatedPages -= pages;
    if (isRetired(first)) {
      putBack(first);
      return;
    }
    resting.add(first);
    restingPages += pages;
    long most = Math.min(MAX_RESTING_BYTES / Chunk.PAGE_BYTES, capacityPages / RESTING_PART);
    while (restingPages > most) {
      wakeOldest();
    }
  }

  private boolean wakeAll() {
    boolean any = false;
    while (wakeOldest()) {
      any = true;
    }
    return any;
  }

  /** Frees the pages that have rested longest. False if there are none. */
  private boolean wakeOldest() {
    PageRun oldest = resting.poll();
    if (oldest == null) {
      return false;
    }
    restingPages -= oldest.allPages();
    putBack(oldest);
    return true;
  }

  private void putBack(PageRun first) {
    for (PageRun run = first; run != null; run = run.next()) {
      int index = Chunk.indexOf(run.firstPage());
      Chunk chunk = chunks[index];
      if (chunk.isRetired()) {
        freeRetired(index, run.pages());
      } else {
        insertMerged(chunk, run.firstPage(), run.pages());
        freePages += run.pages();
      }
    }
  }

  /**
   * Whether any of a block's pages lie in a retired chunk. The block may already have been freed,
   * and the chunk released.
   */
  synchronized boolean isRetired(PageRun first) {
    for (PageRun run = first; run != null; run = run.next()) {
      Chunk chunk = chunkOf(run.firstPage());
      if (chunk == null || chunk.isRetired()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Retires whole chunks until the capacity is at most the target. A retired chunk takes no new
   * blocks, and its memory is released when its last page is freed; the caller evicts the blocks
   * for which {@link #isRetired} is true. Memory that is still being obtained is given back if it
   * exceeds the target.
   */
  synchronized void shrink(long capacityBytes) {
    wantedPages = Math.min(wantedPages, capacityBytes / Chunk.PAGE_BYTES);
    wakeAll();
    for (int i = chunks.length - 1; i >= 0 && capacityPages > wantedPages; i--) {
      if (chunks[i] != null && !chunks[i].isRetired()) {
        retire(i);
      }
    }
  }

  /**
   * Asks for a capacity, and obtains memory for it: all of it, or the first chunk that is missing.
   *
   * @return whether more is missing, for {@link #obtainChunk}
   * @throws OutOfMemoryError if the JVM does not allow it; the allocator then has no more than was
   *     wanted before, as after {@link #shrink}
   */
  boolean grow(long capacityBytes, boolean wholly) {
    long before = want(capacityBytes);
    try {
      boolean more = obtainChunk();
      while (wholly && more) {
        more = obtainChunk();
      }
      return isGrowing();
    } catch (RuntimeException | Error e) {
      shrink(before);
      throw e;
    }
  }

  private synchronized long want(long capacityBytes) {
    long before = wantedBytes();
    wantedPages = capacityBytes / Chunk.PAGE_BYTES;
    return before;
  }

  /**
   * Obtains one more chunk. Several threads may do so at the same time.
   *
   * @return false if all that is wanted is there or on its way
   * @throws OutOfMemoryError if there is no memory; no more is wanted then
   */
  boolean obtainChunk() {
    int pages = order();
    if (pages == 0) {
      return false;
    }
    ByteBuf memory = null;
    try {
      memory = source.directBuffer(pages * Chunk.PAGE_BYTES, pages * Chunk.PAGE_BYTES);
      return true;
    } finally {
      arrived(pages, memory);
    }
  }

  private synchronized int order() {
    long missing = Math.max(0, wantedPages - capacityPages - comingPages);
    int pages = (int) Math.min(missing, Chunk.MAX_PAGES);
    comingPages += pages;
    return pages;
  }

  private synchronized void arrived(int pages, ByteBuf memory) {
    comingPages -= pages;
    if (memory == null) {
      wantedPages = Math.min(wantedPages, capacityPages + comingPages);
    } else if (capacityPages + pages > wantedPages) {
      memory.release();
    } else {
      add(memory);
    }
  }

  private void add(ByteBuf memory) {
    int index = 0;
    while (index < chunks.length && chunks[index] != null) {
      index++;
    }
    Chunk chunk = new Chunk(index, memory);
    Chunk[] changed = Arrays.copyOf(chunks, Math.max(chunks.length, index + 1));
    changed[index] = chunk;
    chunks = changed;
    insert(chunk, chunk.firstPage, chunk.pages);
    capacityPages += chunk.pages;
    freePages += chunk.pages;
  }

  private void retire(int index) {
    Chunk chunk = chunks[index];
    capacityPages -= chunk.pages;
    freePages -= chunk.freePages();
    int freeInChunk = chunk.freePages();
    for (int page = chunk.nextFreeRun(chunk.firstPage); page != FreeBins.NONE; ) {
      int runPages = chunk.freeRunPages(page);
      remove(chunk, page, runPages);
      page = chunk.nextFreeRun(page + runPages);
    }
    chunk.retire();
    freeRetired(index, freeInChunk);
  }

  private void freeRetired(int index, int pages) {
    if (chunks[index].freeRetired(pages)) {
      Chunk[] changed = chunks.clone();
      changed[index] = null;
      chunks = changed;
    }
  }

  /** The smallest free run that is long enough, or {@link FreeBins#NONE}. */
  private int bestFit(int pages) {
    if (pages > Chunk.MAX_PAGES) {
      return FreeBins.NONE;
    }
    int bin = FreeBins.binOf(pages);
    if (pages >= FreeBins.EXACT) {
      int page = bins.head(bin);
      for (int i = 0; i < LONGEST_SEARCH && page != FreeBins.NONE; i++) {
        Chunk chunk = chunkOf(page);
        if (chunk.freeRunPages(page) >= pages) {
          return page;
        }
        page = chunk.nextInBin(page);
      }
      bin++;
    }
    int fitting = bins.ceiling(bin);
    return fitting == FreeBins.NONE ? FreeBins.NONE : bins.head(fitting);
  }

  /** Assembles a block from several runs, the longest first. */
  private PageRun gather(int pages) {
    PageRun runs = null;
    int left = pages;
    for (int count = 0; left > 0; count++) {
      int page = bestFit(left);
      int take = left;
      if (page == FreeBins.NONE) {
        page = bins.head(bins.last());
        take = Math.min(left, chunkOf(page).freeRunPages(page));
        if (take < MIN_CUT_PAGES || count == MAX_RUNS) {
          if (runs != null) {
            allocatedPages -= runs.allPages();
            putBack(runs);
          }
          return null;
        }
      }
      runs = new PageRun(cut(page, take), take, runs);
      left -= take;
    }
    return runs;
  }

  private int cut(int page, int pages) {
    Chunk chunk = chunkOf(page);
    int runPages = chunk.freeRunPages(page);
    remove(chunk, page, runPages);
    if (runPages > pages) {
      insert(chunk, page + pages, runPages - pages);
    }
    freePages -= pages;
    allocatedPages += pages;
    return page;
  }

  private void insertMerged(Chunk chunk, int page, int pages) {
    int start = page;
    int length = pages;
    int before = chunk.freePagesBefore(page);
    if (before > 0) {
      start -= before;
      length += before;
      remove(chunk, start, before);
    }
    int after = chunk.freePagesAt(page + pages);
    if (after > 0) {
      remove(chunk, page + pages, after);
      length += after;
    }
    insert(chunk, start, length);
  }

  private void insert(Chunk chunk, int page, int pages) {
    int bin = FreeBins.binOf(pages);
    int head = bins.head(bin);
    chunk.writeFreeRun(page, pages);
    chunk.setPreviousInBin(page, FreeBins.NONE);
    chunk.setNextInBin(page, head);
    if (head != FreeBins.NONE) {
      chunkOf(head).setPreviousInBin(head, page);
    }
    bins.setHead(bin, page);
  }

  private void remove(Chunk chunk, int page, int pages) {
    int previous = chunk.previousInBin(page);
    int next = chunk.nextInBin(page);
    if (previous == FreeBins.NONE) {
      bins.setHead(FreeBins.binOf(pages), next);
    } else {
      chunkOf(previous).setNextInBin(previous, next);
    }
    if (next != FreeBins.NONE) {
      chunkOf(next).setPreviousInBin(next, previous);
    }
    chunk.eraseFreeRun(page, pages);
  }

  private Chunk chunkOf(int page) {
    return chunks[Chunk.indexOf(page)];
  }
}
