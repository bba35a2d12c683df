// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.BlockKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BlockMessagesTest {

  private final List<BlockKey> keys =
      List.of(
          new BlockKey(file("a"), 0),
          new BlockKey(file("a"), 65_600),
          new BlockKey(file("b"), 0),
          new BlockKey(file("c"), 1L << 40));

  private static byte[] block(int index) {
    byte[] bytes = new byte[100 + 10 * index];
    new Random(index).nextBytes(bytes);
    return bytes;
  }

  private byte[] answer(int... indexes) {
    ByteBuffer answer = ByteBuffer.allocate(1 << 10);
    for (int index : indexes) {
      assertThat(add(answer, index, block(index))).isTrue();
    }
    return Arrays.copyOf(answer.array(), answer.position());
  }

  private boolean add(ByteBuffer answer, int index, byte[] block) {
    return BlockMessages.add(
        answer, index, keys.get(index), block.length, bytes -> bytes.put(block));
  }

  private static void requireRight(Map<Integer, ByteBuffer> found) {
    found.forEach((index, bytes) -> assertThat(bytes).isEqualTo(ByteBuffer.wrap(block(index))));
  }

  @Test
  void requestsAndAnswersAreReadAsWritten() throws IOException {
    assertThat(BlockMessages.requested(BlockMessages.request(keys), FILES)).isEqualTo(keys);

    Map<Integer, ByteBuffer> blocks = BlockMessages.blocks(answer(0, 3, 1), keys);
    assertThat(blocks).containsOnlyKeys(0, 1, 3);
    requireRight(blocks);
    assertThat(BlockMessages.blocks(answer(), keys)).isEmpty();
  }

  @Test
  void aBlockUnderAnotherKeyIsDamaged() {
    List<BlockKey> others = List.of(new BlockKey(file("a"), 1), new BlockKey(file("d"), 65_600));
    for (int index = 0; index < 2; index++) {
      assertThat(BlockMessages.blocks(answer(index), others)).isEmpty();
    }
  }

  @Test
  void aBlockThatComesTwiceCountsOnce() {
    assertThat(BlockMessages.blocks(answer(2, 2), keys)).containsOnlyKeys(2);
  }

  @Test
  void noFlippedByteAndNoCutMakesAWrongBlock() {
    byte[] bytes = answer(0, 1, 2, 3);
    int kept = 0;
    for (int i = 0; i < bytes.length; i++) {
      byte[] flipped = bytes.clone();
      flipped[i] ^= 0x10;
      byte[] cut = Arrays.copyOf(bytes, i);
      for (byte[] wrong : List.of(flipped, cut)) {
        Map<Integer, ByteBuffer> blocks = BlockMessages.blocks(wrong, keys);
        requireRight(blocks);
        assertThat(blocks).hasSizeLessThan(4);
        kept += blocks.size();
      }
    }
    assertThat(kept).as("blocks before the wrong byte").isPositive();
  }

  @Test
  void requestsAreCheckedAndBounded() throws IOException {
    byte[] request = BlockMessages.request(keys);
    for (int length = 0; length < request.length; length++) {
      byte[] cut = Arrays.copyOf(request, length);
      assertThatThrownBy(() -> BlockMessages.requested(cut, FILES)).isInstanceOf(IOException.class);
    }
    byte[] many = BlockMessages.request(Collections.nCopies(Peers.MAX_BLOCKS + 1, keys.get(0)));
    assertThatThrownBy(() -> BlockMessages.requested(many, FILES))
        .hasMessageContaining("blocks=1025");
  }

  @Test
  void anAnswerHasABound() {
    ByteBuffer answer = ByteBuffer.allocate(BlockMessages.MAX_ANSWER_BYTES);
    int blocks = 0;
    while (add(answer, 0, new byte[1 << 20])) {
      blocks++;
    }
    assertThat(blocks).isEqualTo(7);
    assertThat(answer.remaining()).isLessThan(1 << 20);
  }
}
