// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedObjectsTest {

  private static final long CAPACITY_BYTES = 4 << 20;
  private static final int BLOCK = 2_000;
  private static final int BLOCKS = 1_500;

  /** For 4 MB. */
  private static final int MAX_OBJECTS = 256;

  private final DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0, 2 * CAPACITY_BYTES);

  @AfterEach
  void close() {
    rig.close();
  }

  private void put(int blocks) {
    for (int i = 0; i < blocks; i++) {
      assertThat(rig.put("file", i, BLOCK)).isEqualTo(PutOutcome.STORED);
    }
  }

  private void readAll() {
    for (int i = 0; i < BLOCKS; i++) {
      assertThat(rig.read("file", i, Access.CACHING)).as("block %d", i).isTrue();
    }
  }

  private CountedBlock read(int i) {
    CountedBlock block = rig.tier.get(file("file"), i, Access.CACHING);
    Payloads.check("file", i, block);
    block.release();
    return block;
  }

  @Test
  void aBlockGetsItsObjectWithItsFirstHitAndKeepsIt() {
    put(3);
    assertThat(rig.tier.objects().count()).isZero();
    assertThat(rig.ledger.unreleased()).isZero();

    CountedBlock first = read(1);

    assertThat(read(1)).isSameAs(first);
    assertThat(rig.tier.objects().count()).isEqualTo(1);
    assertThat(rig.ledger.unreleased()).isEqualTo(1);
  }

  @Test
  void theNumberOfObjectsIsBounded() {
    put(BLOCKS);
    for (int round = 0; round < 3; round++) {
      readAll();
      assertThat(rig.tier.objects().count()).isBetween(MAX_OBJECTS / 2L, (long) MAX_OBJECTS);
      assertThat(rig.ledger.unreleased()).isLessThanOrEqualTo(MAX_OBJECTS);
    }
    long empty = rig.tier.stats().space().heapBytes();
    rig.tier.objects().dropAll();
    assertThat(rig.tier.objects().count()).isZero();
    assertThat(rig.ledger.unreleased()).isZero();
    assertThat(rig.tier.stats().space().heapBytes()).isLessThan(empty);
  }

  @Test
  void blocksWithMoreHitsKeepTheirObjectsThroughAFlood() {
    put(BLOCKS);
    List<CountedBlock> hot = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      for (int hit = 0; hit < ClockNode.MAX_HITS; hit++) {
        read(i);
      }
      hot.add(read(i));
    }
    for (int i = 4; i < BLOCKS; i++) {
      read(i);
    }
    for (int i = 0; i < 4; i++) {
      assertThat(read(i)).isSameAs(hot.get(i));
    }
  }

  @Test
  void whatReadersHoldStays() {
    put(BLOCKS);
    List<CountedBlock> held = new ArrayList<>();
    for (int i = 0; i < 2 * MAX_OBJECTS; i++) {
      held.add(rig.lease("file", i));
    }
    readAll();
    rig.tier.objects().dropAll();
    for (int i = 0; i < held.size(); i++) {
      Payloads.check("file", i, held.get(i));
      assertThat(read(i)).isSameAs(held.get(i));
    }
  }

  /** After a burst of readers there are no more objects than places. */
  @Test
  void objectsWithoutAPlaceGoOnceNobodyHoldsThem() {
    put(BLOCKS);
    for (int i = 0; i < 2 * MAX_OBJECTS; i++) {
      rig.lease("file", i);
    }
    rig.tier.detectLeaks(0);
    assertThat(rig.tier.objects().count()).as("held").isGreaterThan(MAX_OBJECTS);

    rig.releaseLeases();
    rig.tier.detectLeaks(0);

    assertThat(rig.tier.objects().count()).isBetween(1L, (long) MAX_OBJECTS);
    assertThat(rig.ledger.unreleased()).isLessThanOrEqualTo(MAX_OBJECTS);
    readAll();
    assertThat(rig.tier.objects().count()).isBetween(1L, (long) MAX_OBJECTS);
  }

  @Test
  void objectsThatReadersHoldOverAResizeGoOnceNobodyHoldsThem() {
    put(BLOCKS);
    for (int round = 1; round <= 4; round++) {
      for (int i = 0; i < MAX_OBJECTS; i++) {
        rig.lease("file", round * MAX_OBJECTS + i);
      }
      rig.tier.resize(CAPACITY_BYTES << (round & 1));
      rig.releaseLeases();
    }
    readAll();
    rig.tier.detectLeaks(0);
    assertThat(rig.tier.objects().count()).isBetween(1L, (long) MAX_OBJECTS);
    assertThat(rig.ledger.unreleased()).isLessThanOrEqualTo(MAX_OBJECTS);
  }

  @Test
  void aResizeBringsAnotherNumber() {
    put(BLOCKS);
    readAll();
    rig.tier.resize(CAPACITY_BYTES / 2);
    assertThat(rig.tier.objects().count()).isZero();

    put(BLOCKS / 3);
    rig.assertSound();
    assertThat(rig.tier.objects().count()).isBetween(MAX_OBJECTS / 4L, MAX_OBJECTS / 2L);
  }
}
