// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec.Fault;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.LoggedLines;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.format.RecordLayout;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the log says of blocks that are dropped as damaged: which, where, and why. */
class CorruptionLogTest extends TierOnSimulatedDisk {

  private static final BlockTraits TRAITS = new BlockTraits(1, BlockTraits.Residency.ORDINARY);

  private final PrintStream err = System.err;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private SimulatedDevice device;
  private NumberedBlocks blocks;

  /** The tests' logger writes to the error stream. */
  @BeforeEach
  void collect() {
    // The line of the test before would be this one's.
    LoggedLines.await();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void giveBack() {
    System.setErr(err);
  }

  private void open(boolean mapped) {
    device = new SimulatedDevice(disk, mapped, 1);
    make(device, RegionConfig.named("test", FILES).withVerify(!mapped));
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
  }

  private void putAndSeal(int to) {
    assertThat(blocks.putAll(0, to)).isEqualTo(to);
    seal();
  }

  private String text() {
    LoggedLines.await();
    return logged.toString(StandardCharsets.UTF_8);
  }

  /** The lines of the log that name blocks that were dropped. */
  private List<String> lines() {
    return text()
        .lines()
        .filter(
            line ->
                line.contains("Dropped a cached block") || line.contains("Dropped cached blocks"))
        .map(line -> line.replaceAll("^.*WARN \\S+ - ", ""))
        .toList();
  }

  private long damaged() {
    return tier.stats().events().evictions().getOrDefault(EvictionCause.CORRUPTION, 0L);
  }

  private StoredRecord record(int number) {
    return StoredRecord.first(disk, "file", number);
  }

  private void flip(int number, int inRecord) {
    disk.flip(record(number).slot(), record(number).entry().position() + inRecord, 3);
  }

  private String place(int number) {
    StoredRecord record = record(number);
    return "file=file offset="
        + number
        + ", region="
        + record.slot()
        + " position="
        + record.entry().position()
        + " payloadBytes="
        + BLOCK
        + " of region "
        + record.slot()
        + " of "
        + device.path();
  }

  @Test
  void wrongBytes() {
    open(false);
    putAndSeal(2);
    String place = place(1);
    flip(1, RecordLayout.headerBytes("file".length()) + BLOCK / 2);
    assertThat(blocks.readAll(0, 2)).isOne();
    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith(
            "Dropped a cached block, because it is corrupt (checksum mismatch); reads go to HBase's file: "
                + place);
    assertThat(blocks.count(TierFault.CORRUPT_BLOCK)).isEqualTo(damaged()).isOne();
  }

  @Test
  void wrongBytesInMemory() {
    open(true);
    putAndSeal(2);
    String place = place(0);
    flip(0, RecordLayout.headerBytes("file".length()) + 7);
    assertThat(tier.verify(file("file"), 0)).isFalse();
    assertThat(lines()).singleElement().asString().contains("checksum mismatch", place);
    assertThat(damaged()).isOne();
  }

  @Test
  void aHeaderOrNoRecordAtAll() {
    open(false);
    putAndSeal(3);
    String first = place(0);
    String second = place(1);
    flip(0, RecordLayout.OFFSET);
    flip(1, 0);
    assertThat(blocks.readAll(0, 3)).isOne();
    now += Duration.ofMinutes(1).toNanos();
    assertThat(lines()).singleElement().asString().contains("corrupt header", first);
    tier.tick();
    assertThat(lines()).last().asString().contains("it is corrupt: 1 more");
    assertThat(second).isNotEqualTo(first);
  }

  @Test
  void whatIsThereInPlaceOfARecord() {
    open(false);
    putAndSeal(1);
    String place = place(0);
    StoredRecord record = record(0);
    disk.flip(record.slot(), record.entry().position(), 0);
    assertThat(blocks.read(0)).isFalse();
    // The magic is "TRec".
    assertThat(lines()).singleElement().asString().contains("0x55526563", place);
  }

  @Test
  void aBurstIsOneLineAndANumber() {
    open(false);
    putAndSeal(100);
    for (int i = 0; i < 100; i++) {
      flip(i, RecordLayout.headerBytes("file".length()));
    }
    assertThat(blocks.readAll(0, 100)).isZero();
    assertThat(lines()).hasSize(1);
    now += Duration.ofMinutes(1).toNanos();
    tier.tick();
    tier.tick();
    assertThat(lines()).hasSize(2);
    assertThat(lines().get(1))
        .isEqualTo(
            "Dropped a cached block, because it is corrupt: 99 more since the last such line");
    assertThat(damaged()).isEqualTo(100);
  }

  @Test
  void aBlockThatCannotBeDecoded() {
    open(false);
    CountedBlock faulty = CountedBlock.faulty("file", 7, BLOCK, Fault.DECODE_THROWS_IO);
    assertThat(tier.put(file("file"), 7, faulty, TRAITS, 0)).isEqualTo(PutOutcome.STORED);
    faulty.release();
    assertThat(blocks.read(7)).isFalse();
    assertThat(lines())
        .singleElement()
        .asString()
        .contains("because it cannot be decoded", "file=file offset=7, ");
    assertThat(text()).contains("decoding fails as asked");
    assertThat(blocks.count(TierFault.CORRUPT_BLOCK)).isEqualTo(damaged()).isOne();
  }

  @Test
  void anotherReasonDoesNotKeepItOutOfTheLog() {
    open(false);
    putAndSeal(2);
    String place = place(1);
    device.readErrors(1);
    assertThat(blocks.read(0)).isFalse();
    device.readErrors(0);
    flip(1, RecordLayout.headerBytes("file".length()));
    assertThat(blocks.read(1)).isFalse();
    assertThat(text()).contains(": a read failed", ": EIO");
    assertThat(lines()).singleElement().asString().contains(place);
  }

  @Test
  void aRegionThatCannotBeReadAgainAndAgain() {
    open(false);
    putAndSeal(24);
    StoredRecord bad = record(0);
    int other = 0;
    while (record(other).slot() == bad.slot()) {
      other++;
    }
    String place = place(0);
    device.unreadable(bad.slot(), true);
    for (int failures = 0; failures < 3; failures++) {
      assertThat(lines()).isEmpty();
      assertThat(blocks.read(0)).isFalse();
      assertThat(blocks.read(other)).isTrue();
    }
    assertThat(lines())
        .singleElement()
        .asString()
        .contains("because its cache region had repeated read errors", place);
    assertThat(damaged()).isOne();
  }

  @Test
  void aRegionThatCannotBeWritten() {
    open(false);
    assertThat(blocks.putAll(0, 2)).isEqualTo(2);
    device.failOnce(0, new OutOfMemoryError("as asked"));
    tier.sealOpen();
    while (!tier.isSealed()) {
      device.failOnce(0, new OutOfMemoryError("as asked"));
      tier.tick();
    }
    assertThat(lines())
        .singleElement()
        .asString()
        .contains("its cache region could not be written", " of " + device.path())
        .contains("blocks=2 files=1, such as file, ");
    assertThat(text()).contains("OutOfMemoryError: as asked");
    assertThat(tier.stats().events().evictions())
        .containsExactly(Map.entry(EvictionCause.WRITE_FAILED, 2L));
  }

  @Test
  void aRegionThatCannotBeWrittenAtTheEnd() throws InterruptedException {
    open(false);
    assertThat(blocks.putAll(0, 3)).isEqualTo(3);
    device.full(true);
    close();
    assertThat(lines())
        .singleElement()
        .asString()
        .contains("its cache region could not be written", "blocks=3 files=1, such as file, ");
  }

  @Test
  void aRegionThatCannotBeEmptied() {
    open(false);
    tier.demoteTo(new FailingTarget());
    int put = 0;
    while (damaged() == 0) {
      assertThat(blocks.put(put++)).isEqualTo(PutOutcome.STORED);
    }
    assertThat(lines())
        .singleElement()
        .asString()
        .contains("because reclaiming its cache region failed", ": file=file offset=");
  }

  private static final class FailingTarget implements DemotionTarget<CountedBlock> {

    @Override
    public boolean wants(BlockInfo info) {
      throw new IllegalStateException("as asked");
    }

    @Override
    public Above above(CacheFile file, long offset) {
      return Above.NO;
    }

    @Override
    public void offer(BlockInfo info, CountedBlock block, boolean wasHit) {}
  }
}
