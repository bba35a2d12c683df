// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Poison;
import dev.terrace.dram.PageAllocator.PageRun;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageAllocatorTest {

  private static final int PAGE = Chunk.PAGE_BYTES;

  private final LimitedAllocator source = new LimitedAllocator(512L << 20);

  static PageAllocator allocator(LimitedAllocator source, long capacityBytes) {
    PageAllocator pages = new PageAllocator(source);
    pages.grow(capacityBytes, true);
    return pages;
  }

  /** Runs in the order of their buffers. */
  private static List<PageRun> runs(PageRun first) {
    List<PageRun> runs = new ArrayList<>();
    for (PageRun run = first; run != null; run = run.next()) {
      runs.add(run);
    }
    return runs;
  }

  private static List<PageRun> allocateAll(PageAllocator pages, int each) {
    List<PageRun> all = new ArrayList<>();
    for (PageRun run = pages.allocate(each); run != null; run = pages.allocate(each)) {
      all.add(run);
    }
    return all;
  }

  @Test
  void roundsUpToPages() {
    assertThat(PageAllocator.pagesFor(1)).isEqualTo(1);
    assertThat(PageAllocator.pagesFor(PAGE)).isEqualTo(1);
    assertThat(PageAllocator.pagesFor(PAGE + 1)).isEqualTo(2);
    assertThat(PageAllocator.pagesFor(Integer.MAX_VALUE)).isEqualTo(1 << 22);
  }

  @Test
  void handsOutEveryPage() {
    PageAllocator pages = allocator(source, 100L * PAGE);
    List<PageRun> all = allocateAll(pages, 1);
    assertThat(all).hasSize(100);
    assertThat(pages.allocatedBytes()).isEqualTo(pages.capacityBytes());
    assertThat(all.stream().map(run -> run.firstPage()).distinct()).hasSize(100);
    all.forEach(pages::free);
    assertThat(pages.allocatedBytes()).isZero();
    assertThat(pages.allocate(100).count()).isEqualTo(1);
    assertThat(pages.allocate(1)).isNull();
    pages.shrink(0);
    assertThat(source.usedBytes()).isEqualTo(100L * PAGE);
  }

  @Test
  void buffersTogetherAreAsLongAsTheBlock() {
    PageAllocator pages = allocator(source, 200L * PAGE);
    for (int size : new int[] {1, PAGE - 1, PAGE, PAGE + 1, 50 * PAGE, 50 * PAGE - 1}) {
      PageRun runs = pages.allocate(PageAllocator.pagesFor(size));
      ByteBuffer[] buffers = pages.buffers(runs, size);
      assertThat(buffers).hasSize(1);
      assertThat(buffers[0].isDirect()).isTrue();
      assertThat(buffers[0].position()).isZero();
      assertThat(buffers[0].capacity()).isEqualTo(size);
      pages.free(runs);
    }
  }

  @Test
  void takesTheTightestFit() {
    PageAllocator pages = allocator(source, 1000L * PAGE);
    PageRun hole30 = pages.allocate(30);
    PageRun wall1 = pages.allocate(1);
    PageRun hole20 = pages.allocate(20);
    PageRun wall2 = pages.allocate(1);
    pages.free(hole30);
    pages.free(hole20);
    assertThat(pages.allocate(18).firstPage()).isEqualTo(hole20.firstPage());
    assertThat(pages.allocate(21).firstPage()).isEqualTo(hole30.firstPage());
    assertThat(pages.allocate(900).count()).isEqualTo(1);
    assertThat(List.of(wall1.firstPage(), wall2.firstPage())).containsExactly(30, 51);
  }

  @Test
  void gathersSeveralRunsWhenNoneIsLongEnough() {
    PageAllocator pages = allocator(source, 640L * PAGE);
    List<PageRun> all = allocateAll(pages, 20);
    for (int i = 0; i < all.size(); i += 2) {
      pages.free(all.get(i));
    }
    int size = 100 * PAGE - 3;
    PageRun first = pages.allocate(100);
    assertThat(first.count()).isEqualTo(5);
    int total = 0;
    for (ByteBuffer buffer : pages.buffers(first, size)) {
      total += buffer.capacity();
    }
    assertThat(total).isEqualTo(size);
    long allocated = pages.allocatedBytes();
    assertThat(pages.allocate(221)).as("more than is free").isNull();
    assertThat(pages.allocatedBytes()).isEqualTo(allocated);
    pages.free(first);
    assertThat(pages.allocate(320).count()).isEqualTo(16);
  }

  @Test
  void doesNotGatherCrumbs() {
    PageAllocator pages = allocator(source, 640L * PAGE);
    List<PageRun> all = allocateAll(pages, 8);
    for (int i = 0; i < all.size(); i += 2) {
      pages.free(all.get(i));
    }
    long allocated = pages.allocatedBytes();
    assertThat(pages.allocate(40)).isNull();
    assertThat(pages.allocatedBytes()).isEqualTo(allocated);
    assertThat(allocateAll(pages, 8)).hasSize(40);
  }

  @Test
  void blockLargerThanAChunkGetsSeveralRuns() {
    long capacity = 3L * Chunk.MAX_BYTES;
    PageAllocator pages = allocator(source, capacity);
    for (int blockPages : new int[] {Chunk.MAX_PAGES + 1, 2 * Chunk.MAX_PAGES, 5 << 16}) {
      PageRun runs = pages.allocate(blockPages);
      assertThat(runs).as("%d pages", blockPages).isNotNull();
      assertThat(runs(runs).stream().mapToInt(run -> run.pages()).sum()).isEqualTo(blockPages);
      pages.free(runs);
    }
    PageRun everything = pages.allocate(3 * Chunk.MAX_PAGES);
    assertThat(everything.count()).isEqualTo(3);
    assertThat(pages.allocatedBytes()).isEqualTo(capacity);
    pages.free(everything);
    pages.shrink(0);
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void longRunsBeyondTheSearchAreFoundElsewhere() {
    PageAllocator pages = allocator(source, (long) Chunk.MAX_BYTES);
    int length = FreeBins.EXACT;
    List<PageRun> shorter = new ArrayList<>();
    List<PageRun> walls = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      shorter.add(pages.allocate(length));
      walls.add(pages.allocate(1));
    }
    PageRun longer = pages.allocate(length + 10);
    PageRun rest = pages.allocate(Chunk.MAX_PAGES - 40 * (length + 1) - (length + 10));
    pages.free(longer);
    shorter.forEach(pages::free);
    PageRun found = pages.allocate(length + 5);
    assertThat(runs(found).stream().mapToInt(run -> run.pages()).sum()).isEqualTo(length + 5);
    pages.free(found);
    pages.free(rest);
    walls.forEach(pages::free);
    assertThat(pages.allocate(Chunk.MAX_PAGES).count()).isEqualTo(1);
  }

  /** Each chunk has one page, whatever was asked for. */
  @Test
  void pagesBeyondATerabyteHaveNumbersOfTheirOwn() {
    int chunks = Chunk.MAX_CHUNKS / 2 + 100;
    PageAllocator pages = new PageAllocator(new LimitedAllocator(Long.MAX_VALUE, PAGE));
    pages.grow((long) chunks * PAGE, true);
    List<PageRun> all = allocateAll(pages, 1);
    assertThat(all.stream().map(PageRun::firstPage).distinct()).hasSize(chunks);
    assertThat(all).filteredOn(run -> run.firstPage() < 0).isNotEmpty();
    for (PageRun run : all) {
      pages.buffers(run, PAGE)[0].putInt(0, run.firstPage());
    }
    for (PageRun run : all) {
      assertThat(pages.buffers(run, PAGE)[0].getInt(0)).isEqualTo(run.firstPage());
      pages.free(run);
    }
    pages.shrink(0);
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void shrinksAtOnceWhereNothingIsInUse() {
    PageAllocator pages = allocator(source, 2L * Chunk.MAX_BYTES);
    pages.shrink(Chunk.MAX_BYTES);
    assertThat(pages.capacityBytes()).isEqualTo(Chunk.MAX_BYTES);
    assertThat(source.usedBytes()).isEqualTo(Chunk.MAX_BYTES);
  }

  @Test
  void keepsRetiredMemoryToItsLastPage() {
    PageAllocator pages = allocator(source, 64L * PAGE);
    pages.grow(128L * PAGE, true);
    PageRun first = pages.allocate(64);
    PageRun second = pages.allocate(32);
    PageRun third = pages.allocate(31);
    pages.shrink(64L * PAGE);
    List<PageRun> retired = new ArrayList<>(List.of(first, second, third));
    retired.removeIf(run -> !pages.isRetired(run));
    assertThat(retired).isNotEmpty();
    assertThat(pages.capacityBytes()).isEqualTo(64L * PAGE);
    assertThat(source.usedBytes()).isEqualTo(128L * PAGE);
    for (PageRun run : retired) {
      assertThat(source.usedBytes()).isEqualTo(128L * PAGE);
      pages.free(run);
    }
    assertThat(source.usedBytes()).isEqualTo(64L * PAGE);
    for (PageRun run : List.of(first, second, third)) {
      assertThat(pages.isRetired(run)).isEqualTo(retired.contains(run));
    }
  }

  @Test
  void keepsNothingWhenMemoryRunsOut() {
    LimitedAllocator small = new LimitedAllocator(3L * Chunk.MAX_BYTES);
    assertThatThrownBy(() -> allocator(small, 4L * Chunk.MAX_BYTES))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(small.usedBytes()).isZero();
    PageAllocator pages = allocator(small, Chunk.MAX_BYTES);
    assertThatThrownBy(() -> pages.grow(4L * Chunk.MAX_BYTES, true))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(small.usedBytes()).isEqualTo(Chunk.MAX_BYTES);
    assertThat(pages.capacityBytes()).isEqualTo(Chunk.MAX_BYTES);
    assertThat(pages.allocate(Chunk.MAX_PAGES).count()).isEqualTo(1);
  }

  @Test
  void freedPagesStayUntouchedUntilAsManyWereFreedAfterThem() {
    int blockPages = 16;
    int resting = 8;
    PageAllocator pages = allocator(source, 64L * resting * blockPages * PAGE);
    List<PageRun> blocks = allocateAll(pages, blockPages);
    for (PageRun block : blocks) {
      pages.buffers(block, PAGE)[0].putInt(0, block.firstPage());
    }
    Deque<PageRun> freed = new ArrayDeque<>();
    for (PageRun block : blocks.subList(0, 4 * resting)) {
      pages.free(block);
      freed.add(block);
      if (freed.size() > resting) {
        PageRun woken = freed.remove();
        assertThat(pages.allocate(blockPages).firstPage()).isEqualTo(woken.firstPage());
      }
      for (PageRun rests : freed) {
        assertThat(pages.buffers(rests, PAGE)[0].getInt(0)).isEqualTo(rests.firstPage());
      }
    }
  }

  @Test
  void restingPagesAreUsedBeforeABlockIsRefused() {
    PageAllocator pages = allocator(source, 64L * 16 * PAGE);
    List<PageRun> blocks = allocateAll(pages, 16);
    PageRun freed = blocks.get(7);
    pages.free(freed);
    assertThat(pages.allocatedBytes()).isEqualTo(63L * 16 * PAGE);
    assertThat(pages.allocate(16).firstPage()).isEqualTo(freed.firstPage());
  }

  @Test
  void poisonOverwritesWhatIsFreed() {
    PageAllocator pages = new PageAllocator(source, true);
    pages.grow(64L * 16 * PAGE, true);
    List<PageRun> blocks = allocateAll(pages, 16);
    ByteBuffer kept = pages.buffers(blocks.get(3), 16 * PAGE)[0];
    kept.putLong(5 * PAGE, 42);
    pages.free(blocks.get(3));
    byte[] seen = new byte[16 * PAGE];
    kept.get(0, seen);
    assertThat(seen).containsOnly(Poison.PATTERN);
  }
}
