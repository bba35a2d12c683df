// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.LoggedLines;
import dev.terrace.api.PathStats.State;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierFault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.SyncFailedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the log says of a device's faults in a quarter of an hour. */
class PathReportTest {

  private static final int MAX_LINES = 10;
  private static final Duration PROBE = Duration.ofSeconds(5);
  private static final Duration WATCHED = Duration.ofMinutes(15);

  private final PrintStream err = System.err;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private long now = -17;
  private final DeviceHealth health =
      new DeviceHealth(
          "/the/path",
          new IoLimits(Duration.ofSeconds(1), PROBE, 12, 0),
          () -> now,
          new TierCounters());

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

  private List<String> lines() {
    LoggedLines.await();
    return logged.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** As the JDK and the devices throw it. */
  private static IOException failure(String text) {
    return new IOException("write failed: path=/the/path: " + text, new IOException(text));
  }

  /** Does something each second of a quarter of an hour, or each few. */
  private void watch(Duration period, Runnable task) {
    for (long second = 0; second < WATCHED.toSeconds(); second++) {
      if (second % period.toSeconds() == 0) {
        task.run();
      }
      now += Duration.ofSeconds(1).toNanos();
      health.poll();
    }
  }

  private void failRead(String text) {
    health.stalls.beginRead();
    health.readFailed(failure(text));
    health.stalls.endRead();
  }

  private void failWrite(String text) {
    health.stalls.beginWrite();
    health.writeFailed(failure(text));
    health.stalls.endWrite();
  }

  private void assertFewLines(String first, String last) {
    assertThat(lines()).hasSizeBetween(3, MAX_LINES).allMatch(line -> line.contains("/the/path: "));
    assertThat(lines().get(0)).contains(first).contains(". To do: ");
    assertThat(lines().get(lines().size() - 1)).endsWith(last);
    assertThat(lines()).filteredOn(line -> line.endsWith(last)).hasSize(1);
  }

  @Test
  void aReadOnlyFileSystem() {
    watch(
        PROBE,
        () -> {
          failWrite("Read-only file system");
          health.tried(false);
        });
    health.tried(true);
    assertFewLines(
        "/the/path: writes paused until one succeeds; reads continue: EROFS, ",
        ": writes work again, after 15 min");
    assertThat(lines().get(1)).contains("/the/path: for 60 s: writes paused ");
  }

  @Test
  void aFullDisk() {
    watch(PROBE, () -> health.foundNoSpace(failure("No space left on device")));
    health.wroteRegion();
    assertFewLines(": ENOSPC, ", ": has space again, after 15 min");
  }

  @Test
  void aQuota() {
    health.foundNoSpace(failure("Disk quota exceeded"));
    assertThat(lines()).singleElement().asString().contains(": EDQUOT, ", "raise the quota");
  }

  @Test
  void aDiskThatFails() {
    watch(
        PROBE,
        () -> {
          failWrite("Input/output error");
          for (int i = 0; i < 5 && health.isUsable(); i++) {
            failRead("Input/output error");
          }
          health.probed(false);
        });
    health.probed(true);
    assertFewLines(
        ": a write failed and will be retried: EIO, ", ": back in service, after 15 min");
  }

  @Test
  void aDiskThatFailsAndWorksInTurns() {
    watch(
        Duration.ofSeconds(7),
        () -> {
          health.probed(true);
          for (int i = 0; i < 5; i++) {
            failRead("Input/output error");
          }
        });
    assertThat(lines()).hasSizeBetween(3, MAX_LINES);
  }

  @Test
  void aSpotOfADisk() {
    watch(
        Duration.ofSeconds(1),
        () -> {
          failRead("Input/output error");
          health.readSucceeded();
        });
    assertThat(lines()).hasSizeBetween(4, 5);
    assertThat(lines().get(1))
        .contains("/the/path: 60 times since the last such line: a read failed, ");
  }

  @Test
  void aDiskThatHangs() {
    health.stalls.beginWrite();
    watch(PROBE, () -> {});
    health.stalls.endWrite();
    health.tried(true);
    assertFewLines("(no write ended for 10000 ms)", ": writes work again, after 14 min");
  }

  private void giveUpReads() {
    for (int reader = 0; reader < 20; reader++) {
      health.gaveUp(TierFault.SLOW_READ);
    }
  }

  private void pass(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      now += Duration.ofSeconds(1).toNanos();
      health.poll();
    }
  }

  @Test
  void aSlowDisk() {
    watch(Duration.ofSeconds(1), this::giveUpReads);
    assertThat(health.condition().state()).isEqualTo(State.SLOW);
    assertThat(lines()).allMatch(line -> line.endsWith(health.condition().why()));
    pass(Duration.ofSeconds(20));
    assertFewLines(": for 20 s: ", ": answers in time again, after 15 min");
  }

  /** The page shows them, and the log would have a line for each. */
  @Test
  void burstsAndTheTimeAfterAHangHaveNoLineOfTheirOwn() {
    giveUpReads();
    pass(Duration.ofMinutes(1));
    assertThat(lines()).isEmpty();

    giveUpReads();
    assertThat(health.condition().state()).isEqualTo(State.SLOW);
    health.reads.stop(State.SLOW, DeviceFault.HANG, "no read ended for 1000 ms", null);
    pass(Duration.ofSeconds(25));
    giveUpReads();
    health.probed(true);
    assertThat(health.condition().state()).isEqualTo(State.SLOW);
    pass(Duration.ofMinutes(1));
    assertThat(lines()).hasSize(2).noneMatch(line -> line.contains("reads take too long"));
  }

  @Test
  void wrongBytes() {
    for (int few = 0; few < 5; few++) {
      health.damaged(TierFault.CORRUPT_BLOCK);
    }
    assertThat(health.condition().why()).isEmpty();
    watch(Duration.ofSeconds(10), () -> health.damaged(TierFault.CORRUPT_BLOCK));
    assertThat(health.condition().state()).isEqualTo(State.IN_SERVICE);
    assertThat(health.condition().why()).isEqualTo(DeviceFault.DAMAGE.advice(""));
    assertThat(lines()).allMatch(line -> line.endsWith(health.condition().why()));
    pass(Duration.ofMinutes(16));
    assertThat(health.condition().why()).isEmpty();
    assertFewLines(": corrupt blocks are dropped", ": no more corruption for 15 min, after 29 min");
  }

  @Test
  void thePageGivesTheReasonThatTheLogGives() {
    now += Duration.ofSeconds(1).toNanos();
    for (int reader = 0; reader < 20; reader++) {
      health.gaveUp(TierFault.SLOW_READ);
    }
    String slow = health.condition().why();
    assertThat(slow).isNotEmpty();
    health.reads.stop(State.SLOW, DeviceFault.HANG, "no read ended for 1000 ms", null);
    assertThat(health.condition().state()).isEqualTo(State.SLOW);
    assertThat(health.condition().why()).isNotEqualTo(slow).contains("fsfreeze");
    assertThat(lines()).singleElement().asString().endsWith(health.condition().why());
    assertThat(health.lost("its folder is gone")).isTrue();
    assertThat(lines().get(1)).endsWith(health.condition().why());
    health.found();
    health.foundNoSpace(failure("No space left on device"));
    assertThat(health.condition().why()).as("of what is worse").contains("its folder is gone");
    health.probed(true);
    assertThat(health.condition().state()).isEqualTo(State.FULL);
    assertThat(lines().get(2)).endsWith(health.condition().why());
    health.wroteRegion();
    assertThat(health.condition().why()).isIn(slow, "");
  }

  @Test
  void aPathThatIsLost() {
    assertThat(health.lost("its folder is gone")).isTrue();
    health.recordFailed("list of evictions not read", failure("of another server"));
    assertThat(lines()).singleElement().asString().contains("(its folder is gone). To do: ");
  }

  @Test
  void theErrorOfACauseIsFound() {
    for (DeviceFault fault : DeviceFault.values()) {
      LibC.load()
          .filter(c -> fault.error != 0)
          .ifPresent(
              c -> assertThat(DeviceFault.of(failure(c.text(fault.error)))).isEqualTo(fault));
    }
    assertThat(DeviceFault.of(new SyncFailedException("sync failed"))).isEqualTo(DeviceFault.EIO);
    assertThat(DeviceFault.of(failure("Keine Ahnung"))).isEqualTo(DeviceFault.OTHER);
    assertThat(DeviceFault.of(new IOException(new InternalError("a fault"))))
        .isEqualTo(DeviceFault.MEMORY);
  }
}
