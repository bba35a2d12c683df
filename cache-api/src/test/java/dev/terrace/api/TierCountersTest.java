// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TierCountersTest {

  private final TierCounters counters = new TierCounters();

  @Test
  void startAtZero() {
    assertThat(counters.reads(new HitRecorder()).misses()).isZero();
    assertThat(counters.writes(1).puts()).isZero();
    assertThat(counters.writes(1).putBytes()).isZero();
    assertThat(counters.events().refusals()).isEmpty();
    assertThat(counters.events().evictions()).isEmpty();
  }

  @Test
  void missesAreThoseOfReads() {
    for (Access access : Access.values()) {
      counters.miss(access);
    }
    assertThat(counters.reads(new HitRecorder()).misses()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource(PutOutcome.class)
  void putsAreCountedByTheirOutcome(PutOutcome outcome) {
    assertThat(counters.put(file("file"), outcome, 100)).isSameAs(outcome);
    assertThat(counters.put(file("file"), outcome, 23)).isSameAs(outcome);
    boolean stored = outcome == PutOutcome.STORED;
    assertThat(counters.writes(1).puts()).isEqualTo(stored ? 2 : 0);
    assertThat(counters.writes(1).putBytes()).isEqualTo(stored ? 123 : 0);
    assertThat(counters.events().refusals())
        .isEqualTo(outcome.isRefusal() ? Map.of(outcome, 2L) : Map.of());
    assertThat(outcome.isPresent()).isNotEqualTo(outcome.isRefusal());
  }

  @Test
  void whatIsThereIsNoRefusal() {
    assertThat(PutOutcome.values())
        .filteredOn(PutOutcome::isPresent)
        .containsExactlyInAnyOrder(PutOutcome.STORED, PutOutcome.ALREADY_PRESENT);
  }

  @Test
  void evictionsAreCountedByTheirCause() {
    counters.evicted(file("file"), EvictionCause.SIZE, 2);
    counters.evicted(file("file"), EvictionCause.FILE, 0);
    counters.evicted(file("file"), EvictionCause.CLOSE, 1);
    assertThat(counters.events().evictions())
        .isEqualTo(Map.of(EvictionCause.SIZE, 2L, EvictionCause.CLOSE, 1L));
  }

  @Test
  void aListenerLearnsOfFiles() {
    List<String> heard = new ArrayList<>();
    counters.setListener(
        new TierListener() {
          @Override
          public void put(CacheFile file, PutOutcome outcome) {
            heard.add(file + " " + outcome);
          }

          @Override
          public void evicted(CacheFile file, EvictionCause cause, int blocks) {
            heard.add(file + " " + cause + " " + blocks);
          }
        });
    counters.put(file("a"), PutOutcome.STORED, 100);
    counters.put(file("b"), PutOutcome.BUSY, 100);
    counters.evicted(file("a"), EvictionCause.FILE, 3);
    counters.evicted(file("b"), EvictionCause.FILE, 0);

    assertThat(heard).containsExactly("a STORED", "b BUSY", "a FILE 3");
  }
}
