// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TestTiers;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.AtomicLongMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
final class BlockGiverTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final int BYTES = 65_536;
  private static final int BLOCKS = 20;

  /** Slow enough for any machine to exceed it. */
  private static final long BYTES_PER_SECOND = 50L << 20;

  @TempDir Path folder;
  @RegisterExtension final TestTiers opened = new TestTiers();

  private final AtomicLongMap<PeerFigure> stats = AtomicLongMap.create();
  private TieredCache<Cacheable> tiers;
  private BlockGiver giver;

  @BeforeEach
  void open() {
    tiers =
        opened.open(
            "hbase.terrace.dram.size",
            "8m",
            "hbase.terrace.ssd.paths",
            folder.toString(),
            "hbase.terrace.ssd.size",
            "64m");
    giver = new BlockGiver(tiers, stats, BYTES_PER_SECOND);
    for (int number = 0; number < BLOCKS; number++) {
      HFileBlock block = TestBlocks.data(FILE, (long) number * BYTES, BYTES);
      BlockTraits traits = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
      int tier = number % 2;
      assertThat(tiers.putRewritten(file(FILE), block.getOffset(), block, traits, tier))
          .isEqualTo(PutOutcome.STORED);
    }
    assertThat(tiers.tierOf(file(FILE), 0)).isZero();
    assertThat(tiers.tierOf(file(FILE), BYTES)).isEqualTo(1);
  }

  private static List<BlockKey> request(int blocks) {
    List<BlockKey> keys = new ArrayList<>();
    for (int number = 0; number < blocks; number++) {
      keys.add(new BlockKey(file(FILE), (long) number * BYTES));
    }
    return keys;
  }

  private Map<Integer, ByteBuffer> ask(List<BlockKey> request) throws IOException {
    return ask(request, true);
  }

  private Map<Integer, ByteBuffer> ask(List<BlockKey> request, boolean mayLeave)
      throws IOException {
    ByteBuffer answer = giver.answer(request, file -> mayLeave, true);
    byte[] bytes = new byte[answer.remaining()];
    answer.get(bytes);
    return BlockMessages.blocks(bytes, request);
  }

  private long figure(PeerFigure figure) {
    return stats.get(figure);
  }

  @Test
  void givesTheBlocksOfAllTiersAndLeavesNoTrace() throws IOException {
    Map<String, ?> before = tiers.byTier(tier -> tier.stats().reads().hits().counted());
    List<Integer> hitsOfBlocks = hitsOfBlocks();
    Map<String, ?> misses = tiers.byTier(tier -> tier.stats().reads().misses());

    Map<Integer, ByteBuffer> answer = ask(request(BLOCKS + 5));

    assertThat(answer).hasSize(BLOCKS);
    for (Map.Entry<Integer, ByteBuffer> each : answer.entrySet()) {
      long offset = (long) each.getKey() * BYTES;
      HFileBlock block = BlockCheck.decode(each.getValue(), offset, 1L << 30, false).orElseThrow();
      HFileBlock right = TestBlocks.data(FILE, offset, BYTES);
      assertThat(block.getBufferReadOnly().toBytes(0, BYTES))
          .isEqualTo(right.getBufferReadOnly().toBytes(0, BYTES));
    }
    assertThat(figure(PeerFigure.BLOCKS_GIVEN)).isEqualTo(BLOCKS);
    assertThat(figure(PeerFigure.BYTES_GIVEN)).isGreaterThan(BLOCKS * BYTES);
    assertThat(tiers.byTier(tier -> tier.stats().reads().hits().counted())).isEqualTo(before);
    assertThat(tiers.byTier(tier -> tier.stats().reads().misses())).isEqualTo(misses);
    assertThat(hitsOfBlocks()).isEqualTo(hitsOfBlocks);
    assertThat(tiers.tierOf(file(FILE), BYTES)).as("not promoted").isEqualTo(1);
  }

  /** As the policies see them. */
  private List<Integer> hitsOfBlocks() {
    List<Integer> hits = new ArrayList<>();
    tiers.forEachBlock(file(FILE), (tier, offset, size, traits, of) -> hits.add(of));
    assertThat(hits).hasSize(BLOCKS);
    return hits;
  }

  @Test
  void givesNothingOfFilesThatMayNotLeave() throws IOException {
    assertThat(ask(request(2), false)).isEmpty();
  }

  @Test
  void isBusyWhileHandlersAreShortAndBeyondItsRate() throws IOException {
    List<BlockKey> request = request(BLOCKS);
    assertThatThrownBy(() -> giver.answer(request, file -> true, false))
        .isInstanceOf(CallQueueTooBigException.class);
    assertThat(figure(PeerFigure.REQUESTS_BUSY)).isEqualTo(1);

    long sinceNanos = System.nanoTime();
    long givenBytes = 0;
    while (givenBytes < 40L << 20) {
      givenBytes +=
          await()
              .pollInterval(Duration.ofMillis(1))
              .ignoreException(CallQueueTooBigException.class)
              .until(() -> ask(request).size() * (long) BYTES, bytes -> bytes > 0);
    }
    double seconds = (System.nanoTime() - sinceNanos + BlockGiver.BURST.toNanos()) / 1e9;
    // The last answer is paid for after it was given.
    assertThat(givenBytes - (long) BLOCKS * BYTES).isLessThan((long) (seconds * BYTES_PER_SECOND));
    assertThat(figure(PeerFigure.REQUESTS_BUSY)).isGreaterThan(1);
  }

  private static Optional<HFileBlock> decoded(
      HFileBlock block, long offset, long fileBytes, boolean mayBePacked) {
    ByteBuffer bytes = ByteBuffer.allocate(block.getSerializedLength());
    block.serialize(bytes, true);
    return BlockCheck.decode(bytes.rewind(), offset, fileBytes, mayBePacked);
  }

  @Test
  void blocksThatCannotBeInTheFileAreRefused() {
    HFileBlock block = TestBlocks.data(FILE, BYTES, BYTES);
    assertThat(decoded(block, BYTES, 2 * BYTES, false)).isPresent();
    assertThat(decoded(block, 0, 2 * BYTES, false)).as("of another place").isEmpty();
    assertThat(decoded(block, BYTES, 2 * BYTES - 1, false)).as("beyond the file's end").isEmpty();
    HFileBlock packed = TestBlocks.packed(FILE, BYTES, BYTES);
    assertThat(decoded(packed, BYTES, 1L << 30, true)).isPresent();
    assertThat(decoded(packed, BYTES, 1L << 30, false)).as("of a plain file").isEmpty();

    ByteBuffer bytes = ByteBuffer.allocate(block.getSerializedLength());
    block.serialize(bytes, true);
    int[] sizes = {8, 12};
    for (int place : sizes) {
      for (int size : new int[] {-1, 0, BYTES, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        ByteBuffer wrong = ByteBuffer.wrap(bytes.array().clone());
        wrong.putInt(place, size);
        assertThat(BlockCheck.decode(wrong, BYTES, 2 * BYTES, false))
            .as("size %s at %s", size, place)
            .isEmpty();
      }
    }
    for (int length = 0; length < 100; length++) {
      ByteBuffer cut = ByteBuffer.wrap(bytes.array().clone(), 0, length).slice();
      assertThat(BlockCheck.decode(cut, BYTES, 2 * BYTES, false)).isEmpty();
    }
  }

  @Test
  void theSizeOfTheNextBlockIsWithinTheFile() {
    for (int next : new int[] {-1, 33, BYTES}) {
      HFileBlock block = TestBlocks.block(FILE, 0, BYTES, BlockType.DATA, next);
      assertThat(decoded(block, 0, 2 * BYTES, false)).as("next %s", next).isPresent();
    }
    for (int next : new int[] {1, BYTES + 1, Integer.MAX_VALUE}) {
      HFileBlock block = TestBlocks.block(FILE, 0, BYTES, BlockType.DATA, next);
      assertThat(decoded(block, 0, 2 * BYTES, false)).as("next %s", next).isEmpty();
    }
  }
}
