// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Merges of rows in blocks, and how well the shares of the output are told. */
class CompactionTest {

  private static final int ROWS_OF_BLOCK = 64;
  private static final long ROW_BYTES = 1_000;
  private static final int DRAM = 0;
  private static final int SSD = 1;

  private final SplittableRandom random = new SplittableRandom(7);
  private final Compaction compaction = new Compaction();

  /** A file of a merge: its rows by key, and the tier of each of its blocks. */
  private static final class Rows {
    private final String name;
    private final long[] keys;
    private final IntUnaryOperator tierOfBlock;
    private int next;

    Rows(String name, long[] keys, IntUnaryOperator tierOfBlock) {
      this.name = name;
      this.keys = keys;
      this.tierOfBlock = tierOfBlock;
    }

    long key() {
      return keys[next];
    }

    int tier() {
      return tierOfBlock.applyAsInt(next / ROWS_OF_BLOCK);
    }
  }

  /** The parts of a block of the output that came from each tier. */
  private record Shares(double dram, double ssd) {

    static Shares of(double... tiers) {
      return new Shares(tiers[DRAM], tiers[SSD]);
    }
  }

  /** What was told of a block of the output, and what is true. */
  private record Told(Shares shares, Shares truth) {

    double error(int tier) {
      return tier == DRAM ? shares.dram - truth.dram : shares.ssd - truth.ssd;
    }
  }

  private Rows rows(String name, int blocks, IntUnaryOperator tierOfBlock) {
    long[] keys = random.longs((long) blocks * ROWS_OF_BLOCK, 0, 1L << 40).sorted().toArray();
    return new Rows(name, keys, tierOfBlock);
  }

  private void open(Rows rows) {
    if (rows.next < rows.keys.length && rows.next % ROWS_OF_BLOCK == 0) {
      int tier = rows.tier();
      // What is not cached does not tell its size.
      long bytes = tier == Compaction.NO_TIER ? 0 : ROWS_OF_BLOCK * ROW_BYTES;
      compaction.read(file(rows.name), rows.next * ROW_BYTES, tier, bytes);
    }
  }

  /** Merges files into one, with blocks of so many rows, but for the rows that are dropped. */
  private List<Told> merge(String output, int rowsOfOutput, IntPredicate isDropped, Rows... files) {
    assertThat(compaction.writes(file(output))).doesNotContain(file(output));
    PriorityQueue<Rows> heap = new PriorityQueue<>(Comparator.comparingLong(Rows::key));
    for (Rows file : files) {
      open(file);
      heap.add(file);
    }
    List<Told> told = new ArrayList<>();
    double[] tiers = new double[2];
    int inBlock = 0;
    for (int row = 0; !heap.isEmpty(); row++) {
      Rows file = heap.poll();
      int tier = file.tier();
      file.next++;
      // As HBase's merge: the file's next block is read before the row is written.
      open(file);
      if (file.next < file.keys.length) {
        heap.add(file);
      }
      if (isDropped.test(row)) {
        continue;
      }
      if (inBlock == rowsOfOutput) {
        Shares truth = new Shares(tiers[DRAM] / inBlock, tiers[SSD] / inBlock);
        told.add(new Told(Shares.of(compaction.written(file(output), inBlock * ROW_BYTES)), truth));
        tiers = new double[2];
        inBlock = 0;
      }
      inBlock++;
      if (tier != Compaction.NO_TIER) {
        tiers[tier]++;
      }
    }
    return told;
  }

  private static double meanError(List<Told> told, int tier) {
    return told.stream().mapToDouble(block -> Math.abs(block.error(tier))).average().orElseThrow();
  }

  private IntUnaryOperator oneIn(int blocks, int tier) {
    SplittableRandom own = random.split();
    boolean[] isHot = new boolean[10_000];
    for (int i = 0; i < isHot.length; i++) {
      isHot[i] = own.nextInt(blocks) == 0;
    }
    return block -> isHot[block] ? tier : Compaction.NO_TIER;
  }

  private static boolean none(int row) {
    return false;
  }

  @Test
  void aFileThatIsRewrittenAsItIsIsToldExactly() {
    List<Told> told =
        merge("out", ROWS_OF_BLOCK, CompactionTest::none, rows("in", 500, oneIn(5, SSD)));

    assertThat(told).hasSize(499);
    assertThat(told)
        .allSatisfy(
            block -> {
              assertThat(block.error(SSD)).isEqualTo(0, within(1e-9));
              assertThat(block.shares().dram()).isZero();
            });
  }

  @Test
  void aLargeFileWithSmallOnesIsToldNearly() {
    List<Told> told =
        merge(
            "out",
            ROWS_OF_BLOCK,
            CompactionTest::none,
            rows("large", 2_000, oneIn(5, SSD)),
            rows("small", 100, oneIn(2, DRAM)),
            rows("smaller", 50, oneIn(2, DRAM)),
            rows("smallest", 20, oneIn(2, DRAM)));

    assertThat(meanError(told, SSD)).isLessThan(0.08);
    assertThat(meanError(told, DRAM)).isLessThan(0.03);
  }

  @Test
  void filesOfOneSizeAreToldRoughly() {
    List<Told> told =
        merge(
            "out",
            ROWS_OF_BLOCK,
            CompactionTest::none,
            rows("a", 500, oneIn(5, SSD)),
            rows("b", 500, oneIn(5, SSD)),
            rows("c", 500, oneIn(5, SSD)),
            rows("d", 500, oneIn(5, SSD)));

    assertThat(meanError(told, SSD)).isLessThan(0.08);
  }

  @Test
  void rowsThatAreDroppedDoNotMatter() {
    List<Told> told =
        merge("out", ROWS_OF_BLOCK, row -> row % 3 != 0, rows("in", 900, oneIn(5, SSD)));

    assertThat(told).hasSizeBetween(290, 300);
    assertThat(meanError(told, SSD)).isLessThan(0.05);
  }

  @Test
  void rowsThatAreDroppedOfSeveralFilesDoNotMatter() {
    List<Told> told =
        merge(
            "out",
            ROWS_OF_BLOCK,
            row -> row % 5 == 0,
            rows("large", 1_000, oneIn(5, SSD)),
            rows("small", 125, oneIn(2, DRAM)),
            rows("other", 125, oneIn(2, DRAM)));

    assertThat(meanError(told, SSD)).isLessThan(0.08);
    assertThat(meanError(told, DRAM)).isLessThan(0.1);
  }

  @Test
  void blocksOfAnotherSizeDoNotMatter() {
    assertThat(
            meanError(merge("half", 32, CompactionTest::none, rows("in", 500, oneIn(5, SSD))), SSD))
        .isLessThan(0.05);
    assertThat(
            meanError(
                merge("double", 128, CompactionTest::none, rows("next", 500, oneIn(5, SSD))), SSD))
        .isLessThan(0.05);
  }

  @Test
  void eachFileOfTheOutputHasItsOwnShares() {
    assertThat(compaction.writes(file("young"))).isEmpty();
    assertThat(compaction.writes(file("old"))).isEmpty();
    compaction.read(file("in"), 0, DRAM, 100);
    compaction.read(file("in"), 100, Compaction.NO_TIER, 0);
    assertThat(compaction.written(file("young"), 100)[DRAM]).isOne();
    compaction.read(file("in"), 200, Compaction.NO_TIER, 0);
    compaction.read(file("in"), 300, Compaction.NO_TIER, 0);

    // It may have rows of any block so far.
    assertThat(compaction.written(file("old"), 100)[DRAM]).isEqualTo(1 / 3.0, within(1e-9));
    assertThat(compaction.written(file("young"), 100)[DRAM]).isZero();
  }

  @Test
  void anIndexBetweenTheBlocksIsNoneOfThem() {
    compaction.read(file("in"), 0, DRAM, 100);
    assertThat(compaction.writes(file("out"))).containsExactly(file("in"));
    compaction.skipped(file("in"), 100);
    compaction.read(file("in"), 100_000, Compaction.NO_TIER, 0);
    assertThat(compaction.written(file("out"), 100)[DRAM]).isOne();
    compaction.read(file("in"), 100_100, DRAM, 100);
    assertThat(compaction.written(file("out"), 100)[DRAM]).isZero();
  }
}
