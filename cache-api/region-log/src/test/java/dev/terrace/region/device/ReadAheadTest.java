// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.format.CacheSecret;
import dev.terrace.region.format.RegionLife;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which records belong to scans, how much is read ahead of them, and when it is freed. */
class ReadAheadTest {

  private static final CacheSecret SECRET = new CacheSecret(1, 2);
  private static final int REGION = 3;
  private static final int RECORD = 1000;
  private static final int FIRST = 5000;

  /** The record after the five that begin a scan at FIRST. */
  private static final int NEXT = FIRST + 5 * RECORD;

  private final RegionLife life = new RegionLife(SECRET, 1);
  private final AtomicLong now = new AtomicLong(1);
  private final ReadAhead ahead = new ReadAhead(now::get);
  private final RandomRegion region = new RandomRegion(16 << 20);

  @AfterEach
  void close() {
    ahead.close();
    assertThat(region.heldBytes()).as("all pieces were freed, and each once").isZero();
  }

  private AheadScan scan(int position) {
    return ahead.scan(REGION, life, position, RECORD);
  }

  /** Looks for a scan at five records side by side. Returns the scan, at the fifth one. */
  private AheadScan begin(int position) {
    for (int i = 0; i < 4; i++) {
      assertThat(scan(position + i * RECORD)).isNull();
    }
    AheadScan scan = scan(position + 4 * RECORD);
    assertThat(scan).isNotNull();
    assertThat(read(scan, position + 4 * RECORD)).as("not ahead, but here").isFalse();
    return scan;
  }

  private boolean read(AheadScan scan, int position) {
    return read(scan, position, RECORD);
  }

  private boolean read(AheadScan scan, int position, int recordBytes) {
    ByteBuffer record = ByteBuffer.allocate(recordBytes);
    boolean isThere = scan.read(position, record, region);
    assertThat(!isThere || region.isRight(position, record)).isTrue();
    return isThere;
  }

  private void later(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void theFifthRecordSideBySideBeginsAScan() {
    AheadScan scan = begin(FIRST);
    for (int i = 5; i < 2000; i++) {
      int position = FIRST + i * RECORD;
      assertThat(scan(position)).isSameAs(scan);
      assertThat(read(scan, position)).isTrue();
    }
  }

  @Test
  void recordsThatDoNotLieSideBySideAreNoScan() {
    for (int i = 0; i < 20; i++) {
      assertThat(scan(FIRST + 2 * i * RECORD)).isNull();
    }
    for (int i = 20; i > 0; i--) {
      assertThat(scan(FIRST + i * RECORD)).as("backwards").isNull();
    }
  }

  @Test
  void noMoreIsAheadThanTheScanHasRead() {
    AheadScan scan = begin(FIRST);
    int at = NEXT;
    while (at - FIRST < AheadScan.DISTANCE_BYTES) {
      assertThat(region.end() - at).isBetween(1, at - FIRST);
      assertThat(read(scan, at)).isTrue();
      at += RECORD;
    }
    assertThat(region.end() - at)
        .isBetween(
            AheadScan.DISTANCE_BYTES - AheadScan.PIECE_BYTES - RECORD, AheadScan.DISTANCE_BYTES);
  }

  @Test
  void whatTheScanHasPassedIsFreed() {
    AheadScan scan = begin(FIRST);
    for (int i = 5; i < 5000; i++) {
      assertThat(read(scan, FIRST + i * RECORD)).isTrue();
      assertThat(region.heldBytes()).isLessThanOrEqualTo(AheadScan.MOST_BYTES);
    }
  }

  @Test
  void aLongRecordIsReadAlone() {
    int longer = AheadScan.MOST_RECORD_BYTES + 1;
    for (int i = 0; i < 6; i++) {
      assertThat(ahead.scan(REGION, life, FIRST + i * longer, longer)).isNull();
    }
  }

  @Test
  void anotherLifeOrRegionIsAnotherScan() {
    AheadScan scan = begin(FIRST);
    int next = NEXT;
    assertThat(ahead.scan(REGION, new RegionLife(SECRET, 2), next, RECORD)).isNotSameAs(scan);
    assertThat(ahead.scan(REGION + 1, life, next, RECORD)).isNull();
  }

  @Test
  void aScanMaySkipSomeRecordsButNotMost() {
    AheadScan scan = begin(FIRST);
    int at = NEXT - RECORD;
    while (at - FIRST < 3 * AheadScan.DISTANCE_BYTES) {
      at += 3 * RECORD / 2;
      assertThat(scan(at)).as("two of three bytes").isSameAs(scan);
      assertThat(read(scan, at)).isTrue();
    }
    while (!scan.isOver()) {
      at += 8 * RECORD;
      read(scan, at);
    }
    assertThat(at - FIRST).isLessThan(6 * AheadScan.DISTANCE_BYTES);
    assertThat(scan(at)).as("it is over").isNull();
    assertThat(region.heldBytes()).isZero();
  }

  @Test
  void theEndOfTheRegionEndsReading() {
    region.limit(FIRST + 10 * RECORD);
    AheadScan scan = begin(FIRST);
    for (int i = 5; i < 10; i++) {
      assertThat(read(scan, FIRST + i * RECORD)).isTrue();
    }
    assertThat(region.end()).isEqualTo(FIRST + 10 * RECORD);
  }

  @Test
  void aScanWhoseDeviceHasNoPlaceGoesOnLater() {
    AheadScan scan = begin(FIRST);
    region.refuse(true);
    int at = NEXT;
    while (read(scan, at)) {
      at += RECORD;
    }
    region.refuse(false);
    assertThat(read(scan, at + RECORD)).as("not read in time").isFalse();
    assertThat(read(scan, at + 2 * RECORD)).isTrue();
  }

  @Test
  void aPieceThatFailsIsNotThere() {
    region.fail(true);
    AheadScan scan = begin(FIRST);
    assertThat(read(scan, NEXT)).isFalse();
  }

  @Test
  void aPieceThatTakesLongIsNotWaitedFor() {
    region.hang(true);
    AheadScan scan = begin(FIRST);
    assertThat(read(scan, NEXT)).isFalse();
  }

  @Test
  void noMoreScansThanThereIsRoomForUnlessOneRests() {
    AheadScan first = begin(FIRST);
    for (int i = 1; i < ReadAhead.MOST_SCANS; i++) {
      begin(FIRST + (i << 20));
    }
    int next = FIRST + (ReadAhead.MOST_SCANS << 20);
    for (int i = 0; i < 6; i++) {
      assertThat(scan(next + i * RECORD)).as("no room").isNull();
    }
    later(Duration.ofMillis(19));
    assertThat(scan(NEXT)).isSameAs(first);
    later(Duration.ofMillis(1));
    assertThat(scan(next + 6 * RECORD)).as("the place of another one").isNotNull();
    assertThat(scan(NEXT + RECORD)).as("not of the one that was used").isSameAs(first);
  }

  @Test
  void anIdleScanIsFreed() {
    AheadScan scan = begin(FIRST);
    later(Duration.ofMillis(999));
    ahead.dropIdle();
    assertThat(region.heldBytes()).isPositive();
    later(Duration.ofMillis(1));
    ahead.dropIdle();
    assertThat(region.heldBytes()).isZero();
    assertThat(scan(NEXT)).isNotSameAs(scan);
  }

  @Test
  void nothingIsReadAfterTheEnd() {
    AheadScan scan = begin(FIRST);
    ahead.close();
    assertThat(region.heldBytes()).isZero();
    assertThat(read(scan, NEXT)).isFalse();
    for (int i = 0; i < 6; i++) {
      assertThat(scan(FIRST + i * RECORD)).isNull();
    }
    assertThat(region.heldBytes()).isZero();
  }
}
