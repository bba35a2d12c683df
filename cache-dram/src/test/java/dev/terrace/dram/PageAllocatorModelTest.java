// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.TestEffort;
import dev.terrace.dram.PageAllocator.PageRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The allocator against a plain list of who owns which page, over thousands of random lives. */
class PageAllocatorModelTest {

  private static final int SEEDS = TestEffort.times(3_000);
  private static final int STEPS = 250;
  private static final int PAGE = Chunk.PAGE_BYTES;

  /** Capacities are multiples of this, so that no chunk is too small to be gathered. */
  private static final int GRAIN_PAGES = 16;

  @Test
  void agreesWithTheModel() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try {
        new Life(seed).live();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed=" + seed, e);
      }
    }
  }

  /** One block: its runs, its bytes, and the value that all of them have. */
  private record Block(PageRun runs, int pages, List<ByteBuffer> buffers, byte value) {}

  private static final class Life {

    private final SplittableRandom random;
    private final LimitedAllocator source = new LimitedAllocator(64 << 20);
    private final PageAllocator pages;
    private final int largestCapacityPages;
    private final int largestBlockPages;
    private final List<Block> blocks = new ArrayList<>();
    private final Map<Integer, Block> owners = new HashMap<>();
    private int capacityPages;

    Life(int seed) {
      random = new SplittableRandom(seed);
      largestCapacityPages = GRAIN_PAGES * (1 + random.nextInt(40));
      largestBlockPages = 1 + random.nextInt(Math.max(1, largestCapacityPages / 2));
      capacityPages = randomCapacity();
      pages = PageAllocatorTest.allocator(source, (long) capacityPages * PAGE);
    }

    private int randomCapacity() {
      return GRAIN_PAGES * (1 + random.nextInt(largestCapacityPages / GRAIN_PAGES));
    }

    void live() {
      for (int step = 0; step < STEPS; step++) {
        int dice = random.nextInt(100);
        if (dice < 55) {
          allocate(1 + random.nextInt(largestBlockPages));
        } else if (dice < 98) {
          free();
        } else {
          resize(randomCapacity());
        }
        assertBooksBalance();
      }
      while (!blocks.isEmpty()) {
        free();
      }
      assertBooksBalance();
      assertThat(source.usedBytes()).isEqualTo((long) capacityPages * PAGE);
      assertFreeRunsAreMerged();
      pages.shrink(0);
      assertThat(source.usedBytes()).isZero();
    }

    private void allocate(int blockPages) {
      long allocated = pages.allocatedBytes();
      PageRun runs = pages.allocate(blockPages);
      if (runs == null) {
        assertThat(pages.allocatedBytes()).isEqualTo(allocated);
        return;
      }
      int sizeBytes = blockPages * PAGE - random.nextInt(PAGE);
      byte value = (byte) random.nextInt();
      Block block = new Block(runs, blockPages, List.of(pages.buffers(runs, sizeBytes)), value);
      own(block, sizeBytes);
      blocks.add(block);
    }

    private void own(Block block, int sizeBytes) {
      int runPages = 0;
      for (PageRun run = block.runs; run != null; run = run.next()) {
        runPages += run.pages();
        for (int page = run.firstPage(); page < run.firstPage() + run.pages(); page++) {
          assertThat(owners.put(page, block)).as("owner of page %d", page).isNull();
        }
      }
      assertThat(runPages).isEqualTo(block.pages);
      int bytes = 0;
      for (ByteBuffer buffer : block.buffers) {
        bytes += buffer.capacity();
        for (int i = 0; i < buffer.capacity(); i++) {
          buffer.put(i, block.value);
        }
      }
      assertThat(bytes).isEqualTo(sizeBytes);
    }

    private void free() {
      if (blocks.isEmpty()) {
        return;
      }
      int index = random.nextInt(blocks.size());
      Block block = blocks.get(index);
      blocks.set(index, blocks.get(blocks.size() - 1));
      blocks.remove(blocks.size() - 1);
      for (ByteBuffer buffer : block.buffers) {
        for (int i = 0; i < buffer.capacity(); i++) {
          if (buffer.get(i) != block.value) {
            throw new AssertionError("byte " + i + " of " + block + " was overwritten");
          }
        }
      }
      for (PageRun run = block.runs; run != null; run = run.next()) {
        for (int page = run.firstPage(); page < run.firstPage() + run.pages(); page++) {
          owners.remove(page);
        }
      }
      pages.free(block.runs);
    }

    private void resize(int newCapacityPages) {
      pages.shrink((long) newCapacityPages * PAGE);
      if (random.nextInt(4) > 0) {
        while (blocks.stream().anyMatch(block -> pages.isRetired(block.runs))) {
          free();
        }
      }
      pages.grow((long) newCapacityPages * PAGE, true);
      capacityPages = newCapacityPages;
    }

    private void assertBooksBalance() {
      long held = source.usedBytes();
      assertThat(pages.allocatedBytes()).isEqualTo((long) owners.size() * PAGE);
      assertThat(pages.capacityBytes()).isEqualTo((long) capacityPages * PAGE);
      assertThat(held).isGreaterThanOrEqualTo((long) capacityPages * PAGE);
      if (blocks.stream().noneMatch(block -> pages.isRetired(block.runs))) {
        assertThat(held).isEqualTo((long) capacityPages * PAGE);
      }
    }

    /** With everything free, taking all of it yields each free run once: none may touch another. */
    private void assertFreeRunsAreMerged() {
      PageRun all = pages.allocate(capacityPages);
      assertThat(all).isNotNull();
      Map<Integer, PageRun> starts = new HashMap<>();
      for (PageRun run = all; run != null; run = run.next()) {
        starts.put(run.firstPage(), run);
      }
      for (PageRun run = all; run != null; run = run.next()) {
        assertThat(starts).doesNotContainKey(run.firstPage() + run.pages());
        assertThat(run.firstPage() % Chunk.MAX_PAGES).as("start within its chunk").isZero();
      }
      pages.free(all);
    }
  }
}
