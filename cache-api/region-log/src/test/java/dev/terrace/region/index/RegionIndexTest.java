// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.FileUsage;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.memory.DirectMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegionIndexTest {

  private static final BlockTraits TRAITS = new BlockTraits(3, Residency.PROTECTED);

  private final RegionIndex index = new RegionIndex(DirectMemory.JVM);

  private static long address(int region) {
    return BlockAddress.of(region, 64 * region, 100 + region);
  }

  @Test
  void holdsTheOffsetsAtTheEndsOfTheRange() {
    long[] offsets = {0, 1, RegionIndex.MAX_OFFSET - 1, RegionIndex.MAX_OFFSET};
    for (int i = 0; i < offsets.length; i++) {
      assertThat(index.insert(file("file"), offsets[i], address(i), TRAITS, true)).isTrue();
    }
    for (int i = 0; i < offsets.length; i++) {
      assertThat(index.find(file("file"), offsets[i]).offset()).isEqualTo(offsets[i]);
      assertThat(index.address(file("file"), offsets[i])).isEqualTo(address(i));
    }
    assertThat(index.removeRange(file("file"), 0, RegionIndex.MAX_OFFSET - 1)).hasSize(3);
    assertThat(index.remove(file("file"), RegionIndex.MAX_OFFSET)).isEqualTo(address(3));
    assertThat(index.blocks()).isZero();
  }

  @Test
  void refusesOffsetsOutOfRangeAndFindsNothingThere() {
    for (long offset :
        new long[] {-1, Long.MIN_VALUE, RegionIndex.MAX_OFFSET + 1, Long.MAX_VALUE}) {
      // What it would be taken for if its upper bits were lost.
      index.insert(file("file"), offset & RegionIndex.MAX_OFFSET, address(1), TRAITS, true);
      assertRefused(
          () -> index.insert(file("file"), offset, address(1), TRAITS, true), "offset=" + offset);
      assertRefused(
          () -> index.insert(file("other"), offset, address(1), TRAITS, false), "offset=" + offset);
      assertRefused(
          () -> index.replace(file("file"), offset, address(1), address(2)), "offset=" + offset);
      assertThat(index.find(file("file"), offset)).isNull();
      assertThat(index.address(file("file"), offset)).isEqualTo(BlockAddress.NONE);
      assertThat(index.remove(file("file"), offset)).isEqualTo(BlockAddress.NONE);
      assertThat(index.remove(file("file"), offset, address(1))).isFalse();
      index.touch(file("file"), offset);
    }
    assertThat(index.find(file("file"), 0).hits()).isZero();
    assertThat(index.removeRange(file("file"), Long.MIN_VALUE, -1)).isEmpty();
    assertThat(index.removeRange(file("file"), RegionIndex.MAX_OFFSET + 1, Long.MAX_VALUE))
        .isEmpty();
    assertThat(index.removeRange(file("file"), Long.MIN_VALUE, Long.MAX_VALUE)).hasSize(2);
    assertThat(index.files()).isExhausted();
  }

  @Test
  void removesNothingAtNoAddress() {
    index.insert(file("file"), 0, address(1), TRAITS, true);
    assertThat(index.remove(file("file"), 0, BlockAddress.NONE)).isFalse();
    assertThat(index.address(file("file"), 0)).isEqualTo(address(1));
  }

  private static void assertRefused(Runnable call, String named) {
    assertThatIllegalArgumentException()
        .isThrownBy(call::run)
        .withMessageContaining(named + " is no");
  }

  @Test
  void putClaimsANewFileOnly() {
    assertThat(index.isClaimed(file("file"))).isFalse();
    assertThat(index.claim(file("file"), true)).isFalse();
    index.insert(file("file"), 0, address(1), TRAITS, true);
    assertThat(index.isClaimed(file("file"))).isTrue();
    assertThat(index.claim(file("file"), true)).isFalse();

    index.insert(file("recovered"), 0, address(2), TRAITS, false);
    index.insert(file("recovered"), 1, address(3), TRAITS, true);
    assertThat(index.isClaimed(file("recovered"))).isFalse();
    assertThat(index.claim(file("recovered"), true)).isTrue();
    assertThat(index.claim(file("recovered"), true)).isFalse();
    assertThat(index.isClaimed(file("recovered"))).isTrue();
    index.insert(file("recovered"), 2, address(4), TRAITS, false);
    assertThat(index.isClaimed(file("recovered"))).isTrue();

    index.insert(file("unverified"), 0, address(5), TRAITS, false);
    assertThat(index.isClaimed(file("unverified"))).isFalse();
  }

  @Test
  void claimEndsWithTheLastBlock() {
    index.insert(file("file"), 0, address(1), TRAITS, false);
    assertThat(index.claim(file("file"), true)).isTrue();
    index.remove(file("file"), 0);
    assertThat(index.isClaimed(file("file"))).isFalse();
    index.insert(file("file"), 0, address(1), TRAITS, false);
    assertThat(index.claim(file("file"), true)).isTrue();
  }

  @Test
  void entryIsCurrentWhileTheBlockIsWhereItWasFound() {
    index.insert(file("file"), 5, address(1), TRAITS, true);
    IndexEntry entry = index.find(file("file"), 5);
    assertThat(index.isCurrent(entry)).isTrue();
    index.insert(file("file"), 6, address(2), TRAITS, true);
    index.touch(entry);
    index.setVerified(entry);
    assertThat(index.isCurrent(entry)).isTrue();
    assertThat(index.replace(file("file"), 5, address(1), address(3))).isTrue();
    assertThat(index.isCurrent(entry)).isFalse();
    assertThat(index.replace(file("file"), 5, address(3), address(1))).isTrue();
    assertThat(index.isCurrent(entry)).isTrue();
    index.removeRange(file("file"), 0, RecordLayout.MAX_OFFSET);
    assertThat(index.isCurrent(entry)).isFalse();
    index.insert(file("file"), 5, address(4), TRAITS, true);
    assertThat(index.isCurrent(entry)).isFalse();
  }

  @Test
  void touchOfAnEntryFindsTheBlockThatMoved() {
    for (int i = 0; i < 200; i++) {
      index.insert(file("file"), i, address(i), TRAITS, true);
    }
    IndexEntry entry = index.find(file("file"), 100);
    IndexEntry gone = index.find(file("file"), 3);
    index.removeRange(file("file"), 0, 98);
    index.touch(entry);
    index.touch(gone);
    assertThat(index.find(file("file"), 100).hits()).isEqualTo(1);
    index
        .walk(file("file"))
        .forEachRemaining(
            each -> {
              int hits = each.offset() == 100 ? 1 : 0;
              assertThat(each.hits()).as("of %d", each.offset()).isEqualTo(hits);
            });
  }

  /** Pages that let something happen in the middle of a touch, after the word was read. */
  private static final class InterruptedPages extends IndexPages {

    private Runnable interruption = () -> {};
    private int interruptions;

    InterruptedPages() {
      super(1, new DirectMemory(ByteBuffer::allocateDirect));
    }

    @Override
    boolean compareAndSetWord(int[] pages, int slot, long from, long to) {
      interruption.run();
      interruptions++;
      return super.compareAndSetWord(pages, slot, from, to);
    }
  }

  /** Three neighbours in a table: removing the first moves the others. */
  private static long neighbour(int i) {
    return IndexSlot.offsetOfKey(i);
  }

  private static void insertNeighbours(RegionIndex index, String file, int first) {
    for (int i = first; i < first + 3; i++) {
      index.insert(file(file), neighbour(i), address(i), TRAITS, true);
    }
  }

  private static void assertUntouched(RegionIndex index, String file, int i) {
    IndexEntry entry = index.find(file(file), neighbour(i));
    assertThat(entry.address()).isEqualTo(address(i));
    assertThat(entry.hits()).isZero();
    assertThat(entry.traits()).isEqualTo(TRAITS);
  }

  @Test
  void touchLeavesTheBlockAloneThatCameToTheSlot() {
    InterruptedPages pages = new InterruptedPages();
    RegionIndex racing = new RegionIndex(pages);
    insertNeighbours(racing, "file", 0);
    IndexEntry entry = racing.find(file("file"), neighbour(0));
    pages.interruption = () -> racing.remove(file("file"), neighbour(0));
    racing.touch(entry);
    assertThat(pages.interruptions).isEqualTo(1);
    assertThat(racing.find(file("file"), neighbour(0))).isNull();
    assertUntouched(racing, "file", 1);
    assertUntouched(racing, "file", 2);
  }

  @Test
  void touchLeavesTheFileAloneThatTookThePage() {
    InterruptedPages pages = new InterruptedPages();
    RegionIndex racing = new RegionIndex(pages);
    insertNeighbours(racing, "file", 0);
    long taken = racing.offHeapBytes();
    pages.interruption =
        () -> {
          racing.removeRange(file("file"), 0, RecordLayout.MAX_OFFSET);
          insertNeighbours(racing, "other", 1);
        };
    racing.touch(file("file"), neighbour(0));
    assertThat(pages.interruptions).isEqualTo(1);
    assertThat(racing.offHeapBytes()).isEqualTo(taken);
    assertThat(racing.blocks()).isEqualTo(3);
    for (int i = 1; i < 4; i++) {
      assertUntouched(racing, "other", i);
    }
  }

  @Test
  void touchLeavesASlotUnusedThatBecameSo() {
    InterruptedPages pages = new InterruptedPages();
    RegionIndex racing = new RegionIndex(pages);
    insertNeighbours(racing, "file", 0);
    pages.interruption = () -> racing.remove(file("file"), neighbour(2));
    racing.touch(file("file"), neighbour(2));
    assertThat(pages.interruptions).isEqualTo(1);
    assertThat(racing.find(file("file"), neighbour(2))).isNull();
    assertUntouched(racing, "file", 0);
    assertUntouched(racing, "file", 1);
    assertThat(racing.usage(file("file")).blocks()).isEqualTo(2);
  }

  @Test
  void movedBlockStaysVerifiedAndLosesItsHits() {
    index.insert(file("file"), 5, address(1), TRAITS, false);
    assertThat(index.find(file("file"), 5).isVerified()).isFalse();
    IndexEntry entry = index.find(file("file"), 5);
    index.setVerified(entry);
    index.touch(file("file"), 5);
    assertThat(index.find(file("file"), 5).hits()).isEqualTo(1);
    assertThat(index.replace(file("file"), 5, address(1), address(2))).isTrue();
    assertThat(index.find(file("file"), 5).isVerified()).isTrue();
    assertThat(index.find(file("file"), 5).traits()).isEqualTo(TRAITS);
    assertThat(index.find(file("file"), 5).hits()).isZero();
    assertThat(index.usage(file("file")))
        .isEqualTo(new FileUsage(file("file"), 1, BlockAddress.payloadBytes(address(2))));
  }

  @Test
  void blockThatMovedIsNotMarkedAsVerified() {
    index.insert(file("file"), 5, address(1), TRAITS, false);
    IndexEntry entry = index.find(file("file"), 5);
    index.replace(file("file"), 5, address(1), address(2));
    index.setVerified(entry);
    assertThat(index.find(file("file"), 5).isVerified()).isFalse();
  }

  @Test
  void visitorMayUseTheIndex() {
    for (int i = 0; i < 40; i++) {
      index.insert(file("file"), i, address(i), TRAITS, true);
    }
    List<Long> offsets = new ArrayList<>();
    index
        .walk(file("file"))
        .forEachRemaining(
            entry -> {
              assertThat(index.remove(file("file"), entry.offset(), entry.address())).isTrue();
              offsets.add(entry.offset());
            });
    assertThat(offsets).hasSize(40).doesNotHaveDuplicates();
    assertThat(index.files()).isExhausted();
  }

  @Test
  void keepsOneFileOfAName() {
    String name = "file";
    index.insert(file(name), 0, address(1), TRAITS, true);
    index.insert(file(String.valueOf(name.toCharArray())), 1, address(2), TRAITS, true);
    assertThat(index.find(file(name), 1).file()).isSameAs(index.find(file(name), 0).file());
  }

  @Test
  void isUnchangedAndUsableAfterMemoryRanOut() {
    int limit = 8;
    int[] taken = {0};
    RegionIndex small =
        new RegionIndex(
            new IndexPages(
                1,
                new DirectMemory(
                    bytes -> {
                      if (taken[0] == limit) {
                        throw new OutOfMemoryError("no more than " + limit);
                      }
                      taken[0]++;
                      return ByteBuffer.allocateDirect(bytes);
                    })));
    int blocks = 0;
    DirectMemory.Exhausted error = null;
    while (error == null) {
      try {
        small.insert(file("file"), blocks, address(blocks), TRAITS, true);
        blocks++;
      } catch (DirectMemory.Exhausted e) {
        error = e;
      }
    }
    int last = blocks;
    assertThat(last).isBetween(60, limit * IndexPages.PAGE_SLOTS);
    assertThat(small.usage(file("file")).blocks()).isEqualTo(last);
    for (int i = 0; i < last; i++) {
      assertThat(small.address(file("file"), i)).isEqualTo(address(i));
    }
    int files = 1;
    while (small.tableBytes() < (long) limit * IndexPages.PAGE_BYTES) {
      assertThat(small.insert(file("filler-" + files++), 0, address(1), TRAITS, true)).isTrue();
    }
    assertThatExceptionOfType(DirectMemory.Exhausted.class)
        .isThrownBy(() -> small.insert(file("another"), 0, address(1), TRAITS, true));
    assertThat(small.usage(file("another")).blocks()).isZero();
    assertThat(small.files()).toIterable().hasSize(files);
    assertThat(small.blocks()).isEqualTo(last + files - 1);
    small.removeRange(file("file"), 0, RecordLayout.MAX_OFFSET);
    assertThat(small.insert(file("another"), 0, address(1), TRAITS, true)).isTrue();
  }
}
