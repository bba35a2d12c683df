// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.hbase.peers.BlockMessages.Answer;
import dev.terrace.hbase.peers.BlockMessages.AnswerWriter;
import dev.terrace.hbase.peers.BlockMessages.BlockAddress;
import dev.terrace.hbase.peers.BlockMessages.Found;
import dev.terrace.hbase.peers.BlockMessages.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BlockMessagesTest {

  private static final String SERVER = "rs1.example.org,16020,1764400000000";
  private static final List<BlockAddress> KEYS =
      List.of(
          new BlockAddress("a", 0),
          new BlockAddress("a", 65_600),
          new BlockAddress("b", 0),
          new BlockAddress("c", 1L << 40));

  private static byte[] block(int index) {
    byte[] bytes = new byte[100 + 10 * index];
    new Random(index).nextBytes(bytes);
    return bytes;
  }

  private static byte[] answer(int... indexes) {
    AnswerWriter writer = new AnswerWriter();
    for (int index : indexes) {
      writer.add(index, KEYS.get(index), block(index));
    }
    assertThat(writer.blocks()).isEqualTo(indexes.length);
    return writer.encoded();
  }

  private static void requireRight(List<Found> found) {
    for (Found each : found) {
      assertThat(each.bytes()).isEqualTo(ByteBuffer.wrap(block(each.index())));
    }
  }

  @Test
  void requestsAndAnswersAreReadAsWritten() throws IOException {
    Request request = new Request(SERVER, KEYS);
    assertThat(Request.decoded(request.encoded())).isEqualTo(request);

    Answer answer = Answer.decoded(answer(0, 3, 1), KEYS);
    assertThat(answer.isBusy()).isFalse();
    assertThat(answer.damaged()).isZero();
    assertThat(answer.found()).extracting(Found::index).containsExactly(0, 3, 1);
    requireRight(answer.found());

    assertThat(Answer.decoded(answer(), KEYS).found()).isEmpty();
    assertThat(Answer.decoded(AnswerWriter.busy(), KEYS).isBusy()).isTrue();
  }

  @Test
  void aBlockUnderAnotherKeyIsDamaged() throws IOException {
    List<BlockAddress> others = List.of(new BlockAddress("a", 1), new BlockAddress("d", 65_600));
    for (int index = 0; index < 2; index++) {
      Answer answer = Answer.decoded(answer(index), others);
      assertThat(answer.found()).isEmpty();
      assertThat(answer.damaged()).isEqualTo(1);
    }
  }

  @Test
  void aBlockThatComesTwiceCountsOnce() throws IOException {
    Answer answer = Answer.decoded(answer(2, 2), KEYS);
    assertThat(answer.found()).hasSize(1);
    assertThat(answer.damaged()).isEqualTo(1);
  }

  @Test
  void noFlippedByteAndNoCutMakesAWrongBlock() throws IOException {
    byte[] bytes = answer(0, 1, 2, 3);
    int kept = 0;
    for (int i = 0; i < bytes.length; i++) {
      byte[] flipped = bytes.clone();
      flipped[i] ^= 0x10;
      byte[] cut = Arrays.copyOf(bytes, i);
      for (byte[] wrong : List.of(flipped, cut)) {
        try {
          Answer answer = Answer.decoded(wrong, KEYS);
          requireRight(answer.found());
          assertThat(answer.found()).hasSizeLessThan(4);
          kept += answer.found().size();
        } catch (IOException e) {
          assertThat(i).as("only the head makes an answer unreadable: %s", e).isLessThan(2);
        }
      }
    }
    assertThat(kept).as("blocks before the wrong byte").isPositive();
  }

  @Test
  void messagesOfOtherVersionsAndSizesAreRefused() throws IOException {
    byte[] answer = answer(0);
    answer[0]++;
    assertThatThrownBy(() -> Answer.decoded(answer, KEYS)).hasMessageContaining("version=2");
    byte[] request = new Request(SERVER, KEYS).encoded();
    request[0]++;
    assertThatThrownBy(() -> Request.decoded(request)).hasMessageContaining("version=2");
    for (int length = 0; length < request.length; length++) {
      byte[] cut = Arrays.copyOf(new Request(SERVER, KEYS).encoded(), length);
      assertThatThrownBy(() -> Request.decoded(cut)).isInstanceOf(IOException.class);
    }
    byte[] many =
        new Request(SERVER, Collections.nCopies(BlockMessages.MAX_BLOCKS + 1, KEYS.get(0)))
            .encoded();
    assertThatThrownBy(() -> Request.decoded(many)).hasMessageContaining("blocks=1025");
  }

  @Test
  void anAnswerHasABound() {
    AnswerWriter writer = new AnswerWriter();
    assertThat(writer.hasRoom(BlockMessages.MAX_ANSWER_BYTES)).isFalse();
    int index = 0;
    byte[] block = new byte[1 << 20];
    while (writer.hasRoom(block.length)) {
      writer.add(index, KEYS.get(0), block);
      index++;
    }
    assertThat(index).isEqualTo(7);
    assertThat(writer.encoded().length).isLessThanOrEqualTo(BlockMessages.MAX_ANSWER_BYTES);
  }
}
