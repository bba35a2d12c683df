// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.warmup.HotList.Block;
import dev.terrace.hbase.warmup.HotList.OfFile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
final class WarmQueueTest {

  private static final int BYTES = 1 << 20;

  private final AtomicLong nanos = new AtomicLong();
  private final WarmQueue queue = new WarmQueue(nanos::get);
  private final Warming warming = new Warming(null);

  /** A piece of one block. */
  private Piece piece(String server, int number, byte mark) {
    OfFile file = new OfFile("f" + number, List.of(new Block(0, BYTES, mark)));
    return new Piece(warming, null, server, file, 0, 1);
  }

  private void add(String server, int from, int to) {
    for (int number = from; number < to; number++) {
      queue.add(piece(server, number, Block.mark(0, false, 1)), true);
    }
  }

  private List<String> readFromStore() {
    List<String> files = new ArrayList<>();
    for (Piece piece = queue.next(); piece != null; piece = queue.next()) {
      files.add(piece.name());
    }
    return files;
  }

  private static List<String> files(List<Piece> batch) {
    return batch.stream().map(Piece::name).toList();
  }

  @Test
  void aServerIsAskedForFourMegabytesAndTwiceAtOnce() {
    add("a", 0, 9);

    List<Piece> first = queue.nextBatch();
    assertThat(files(first)).containsExactly("f0", "f1", "f2", "f3");
    assertThat(queue.hasNext()).isTrue();
    assertThat(queue.nextBatch()).hasSize(4);
    assertThat(queue.nextBatch()).isEmpty();
    assertThat(queue.hasNext()).isFalse();

    queue.asked(first, true);
    assertThat(files(queue.nextBatch())).containsExactly("f8");
    assertThat(readFromStore()).as("its blocks are being cached").isEmpty();
    queue.cached(first);
    assertThat(readFromStore()).as("what it did not give").containsExactly("f0", "f1", "f2", "f3");
  }

  @Test
  void indexesComeBeforeDataFromWhicheverServer() {
    add("a", 0, 1);
    queue.add(piece("b", 1, Block.mark(2, true, 0)), true);
    queue.add(piece("b", 2, Block.mark(2, false, 0)), true);

    assertThat(files(queue.nextBatch())).containsExactly("f1", "f2");
    assertThat(files(queue.nextBatch())).containsExactly("f0");
  }

  @Test
  void aServerThatDoesNotAnswerIsLeftAloneForAMinute() {
    add("a", 0, 17);
    add("b", 20, 21);
    for (int failures = 0; failures < WarmQueue.MAX_FAILURES; failures++) {
      List<Piece> failed = queue.nextBatch();
      assertThat(failed.get(0).server).isEqualTo("a");
      queue.asked(failed, false);
      queue.cached(failed);
    }
    assertThat(queue.nextBatch().get(0).server).isEqualTo("b");
    assertThat(readFromStore()).hasSize(17);

    nanos.addAndGet(WarmQueue.SILENCE.toNanos() - 1);
    queue.forgetIdle();
    add("a", 0, 1);
    assertThat(queue.nextBatch()).isEmpty();
    assertThat(readFromStore()).hasSize(1);

    nanos.addAndGet(1);
    add("a", 0, 1);
    assertThat(queue.nextBatch().get(0).server).isEqualTo("a");
  }

  @Test
  void aRegionThatClosesIsAskedForNoMore() {
    add("a", 0, 9);
    List<Piece> first = queue.nextBatch();
    warming.isActive = false;
    queue.remove(warming);

    assertThat(queue.nextBatch()).isEmpty();
    queue.asked(first, true);
    queue.cached(first);
    assertThat(readFromStore()).isEmpty();
    assertThat(queue.hasNext()).isFalse();
  }

  @Test
  void piecesOfUnknownServersAreReadFromTheStore() {
    queue.add(piece("", 1, Block.mark(0, false, 0)), false);
    assertThat(queue.nextBatch()).isEmpty();
    assertThat(readFromStore()).containsExactly("f1");
  }
}
