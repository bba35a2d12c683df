// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.slow.SlowStore.SlowDevice;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SlowDeviceTest {

  private static final long MS = 1_000_000;

  /** A time near the point where it becomes negative, as System.nanoTime may be. */
  private static final long NOW = Long.MAX_VALUE - 5 * MS;

  private static SlowDevice device(int latencyMillis, long stream, long all, boolean oneAtATime) {
    Duration latency = Duration.ofMillis(latencyMillis);
    return new SlowDevice(
        new SlowProfile("test", latency, latency, Duration.ofMillis(3), stream, all, oneAtATime));
  }

  private static long take(SlowDevice device, long atMillis, long bytes) {
    return (device.transfer(NOW + atMillis * MS, bytes, new Object(), false) - NOW) / MS;
  }

  @Test
  void noneDoesNotWait() {
    SlowDevice device = new SlowDevice(SlowProfile.NONE);

    assertThat(device.transfer(NOW, 1 << 30, this, false)).isEqualTo(NOW);
    assertThat(device.metadata(NOW)).isEqualTo(NOW);
  }

  @Test
  void requestsToAnObjectStoreDoNotQueue() {
    SlowDevice device = device(25, 50_000_000, 0, false);

    assertThat(take(device, 0, 500_000)).isEqualTo(25 + 10);
    assertThat(take(device, 0, 500_000)).isEqualTo(25 + 10);
    assertThat(take(device, 1, 0)).isEqualTo(1 + 25);
  }

  @Test
  void requestsShareTheLine() {
    SlowDevice device = device(10, 0, 100_000_000, false);

    assertThat(take(device, 0, 500_000)).isEqualTo(10 + 5);
    assertThat(take(device, 0, 500_000)).isEqualTo(10 + 10);
    assertThat(take(device, 20, 500_000)).isEqualTo(20 + 10 + 5);
  }

  @Test
  void requestsQueueForTheOneHeadOfADisk() {
    SlowDevice device = device(8, 0, 100_000_000, true);

    assertThat(take(device, 0, 200_000)).isEqualTo(10);
    assertThat(take(device, 0, 200_000)).isEqualTo(20);
    assertThat(take(device, 5, 200_000)).isEqualTo(30);
    assertThat(take(device, 100, 200_000)).isEqualTo(110);
  }

  @Test
  void aReaderThatGoesOnPaysForBytesAlone() {
    SlowDevice device = device(25, 50_000_000, 0, false);
    long first = device.transfer(NOW, 50_000, this, false);

    assertThat(first - NOW).isEqualTo(26 * MS);
    assertThat(device.transfer(first, 50_000, this, true) - first).isEqualTo(MS);
  }

  @Test
  void aReaderThatGoesOnSeeksAnewWhenTheHeadWentElsewhere() {
    SlowDevice device = device(8, 0, 100_000_000, true);
    device.transfer(NOW, 100_000, "a", false);

    assertThat(device.transfer(NOW, 100_000, "a", true) - NOW).isEqualTo(10 * MS);
    assertThat(device.transfer(NOW, 100_000, "b", true) - NOW).isEqualTo(19 * MS);
    assertThat(device.transfer(NOW, 100_000, "a", true) - NOW).isEqualTo(28 * MS);
  }

  @Test
  void latenciesAreSpreadBetweenTheLeastAndTheMost() {
    SlowDevice device = new SlowDevice(SlowProfile.OBJECT_STORE);
    long least = Long.MAX_VALUE;
    long most = 0;
    for (int i = 0; i < 1_000; i++) {
      long latency = device.transfer(NOW, 0, this, false) - NOW;
      least = Math.min(least, latency);
      most = Math.max(most, latency);
    }

    assertThat(least).isBetween(20 * MS, 21 * MS);
    assertThat(most).isBetween(29 * MS, 30 * MS);
  }

  @Test
  void requestsWithoutDataTakeTheirOwnTime() {
    assertThat(device(25, 0, 0, false).metadata(NOW)).isEqualTo(NOW + 3 * MS);
  }
}
