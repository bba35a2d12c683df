// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.hbase.warmup.HotList.Block;
import dev.terrace.hbase.warmup.HotList.OfFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

final class HotListTest {

  private static final String RELEASED = "region.heat";
  private static final String SERVER = "rs1.example.org,16020,1764400000000";
  private static final String FILE = "0123456789abcdef0123456789abcdef";

  private static OfFile file(String name, int blocks, long seed) {
    Random random = new Random(seed);
    List<Block> collected = new ArrayList<>();
    long offset = random.nextInt(100);
    for (int i = 0; i < blocks; i++) {
      int size = 30_000 + random.nextInt(70_000);
      byte mark = Block.mark(random.nextInt(4), random.nextInt(10) == 0, random.nextInt(4));
      collected.add(new Block(offset, size, mark));
      offset += size;
    }
    return OfFile.of(name, collected);
  }

  @Test
  void readsWhatItWrote() throws IOException {
    HotList list =
        new HotList(1234567890123L, SERVER, List.of(file(FILE, 1000, 1), file("b", 1, 2)));

    HotListFuzz.requireSame(HotList.decoded(list.encoded()), list);
    assertThat(list.encoded().length).isLessThan(1001 * 10);
  }

  private static HotList released() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block(0, 66_000, Block.mark(0, false, 3)));
    blocks.add(new Block(66_033, 70_000, Block.mark(1, false, 0)));
    blocks.add(new Block(1L << 40, 1 << 20, Block.mark(2, true, 1)));
    List<Block> other = new ArrayList<>();
    other.add(new Block(127, 128, Block.mark(0, true, 2)));
    return new HotList(
        1234567890123L, "", List.of(OfFile.of(FILE, blocks), OfFile.of("b_SeqId_4_", other)));
  }

  /** As {@code FrozenFormatTest} does it for the other files. */
  @Test
  void aListOfTheReleaseIsRead() throws IOException {
    try (InputStream in = HotListTest.class.getResourceAsStream("/format/0.1.0/" + RELEASED)) {
      HotListFuzz.requireSame(HotList.decoded(in.readAllBytes()), released());
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "terrace.format.make", matches = ".+")
  void makeAList() throws IOException {
    Path folder = Path.of(System.getProperty("terrace.format.make"));
    Files.write(Files.createDirectories(folder).resolve(RELEASED), released().encoded());
  }

  @Test
  void blocksComeInAnyOrderAndOnce() {
    List<Block> blocks = new ArrayList<>();
    for (int i = 999; i >= 0; i--) {
      blocks.add(new Block(i * 100L, i + 1, Block.mark(1, false, 2)));
      blocks.add(new Block(i * 100L, 7, Block.mark(2, false, 0)));
    }
    blocks.add(new Block(-1, 10, Block.mark(0, false, 0)));
    blocks.add(new Block(HotList.END_OF_OFFSETS, 10, Block.mark(0, false, 0)));
    blocks.add(new Block(5, 0, Block.mark(0, false, 0)));

    OfFile file = OfFile.of(FILE, blocks);

    assertThat(file.blocks()).hasSize(1000);
    for (int i = 0; i < 1000; i++) {
      assertThat(file.blocks().get(i))
          .isEqualTo(new Block(i * 100L, i + 1, Block.mark(1, false, 2)));
    }
  }

  @Test
  void indexesComeFirstThenTiersThenHits() {
    List<Integer> ranks = new ArrayList<>();
    for (boolean isProtected : new boolean[] {true, false}) {
      for (int tier = 0; tier < 4; tier++) {
        for (int hits = 3; hits >= 0; hits--) {
          ranks.add(new Block(0, 1, Block.mark(tier, isProtected, hits)).rank());
        }
      }
    }
    assertThat(ranks).isSorted().doesNotHaveDuplicates().hasSize(Block.END_OF_MARKS);
    assertThat(Block.mark(9, true, 200)).isEqualTo(Block.mark(3, true, 3));
  }

  @Test
  void serversWithOtherTiersTakeTheNextOneBelow() {
    int[] dramAndSsd = Block.numbers(List.of("dram", "ssd"));
    int[] dramAndPmem = Block.numbers(List.of("dram", "pmem"));
    byte dram = Block.mark(0, false, 0);
    byte pmem = Block.mark(1, false, 0);
    byte ssd = Block.mark(2, false, 0);

    assertThat(new Block(0, 1, dram).tierHere(dramAndSsd)).isZero();
    assertThat(new Block(0, 1, pmem).tierHere(dramAndSsd)).isEqualTo(1);
    assertThat(new Block(0, 1, ssd).tierHere(dramAndSsd)).isEqualTo(1);
    assertThat(new Block(0, 1, ssd).tierHere(dramAndPmem)).isEqualTo(1);
    assertThat(new Block(0, 1, dram).tierHere(Block.numbers(List.of("ssd")))).isZero();
  }

  @Test
  void whatIsTooLongLosesItsColdestBlocks() throws IOException {
    List<Block> blocks = new ArrayList<>();
    List<Block> more = new ArrayList<>();
    for (int i = 0; i < 700_000; i++) {
      blocks.add(new Block(i * 65_536L, 65_536, Block.mark(0, false, i % 2 == 0 ? 3 : 0)));
      more.add(new Block(i * 65_536L, 65_536, Block.mark(1, false, 1)));
    }
    HotList list = new HotList(1, "", List.of(OfFile.of("a", blocks), OfFile.of("b", more)));

    byte[] bytes = list.encoded();
    HotList read = HotList.decoded(bytes);

    assertThat(bytes.length).isLessThanOrEqualTo(HotList.MAX_BYTES);
    assertThat(read.blocks()).isLessThanOrEqualTo(HotList.MAX_BLOCKS);
    assertThat(read.files().get(0).blocks()).hasSize(700_000);
    assertThat(read.files()).hasSize(1);
  }

  @Test
  void eachCutAndEachFlippedByteIsRefused() throws IOException {
    byte[] bytes = new HotList(5, SERVER, List.of(file(FILE, 20, 3))).encoded();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> HotList.decoded(cut)).isInstanceOf(IOException.class);
    }
    for (int i = 0; i < bytes.length; i++) {
      byte[] flipped = bytes.clone();
      flipped[i] ^= 0x10;
      assertThatThrownBy(() -> HotList.decoded(flipped)).isInstanceOf(IOException.class);
    }
  }
}
