// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Patience;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.folder.PathSplit.UnopenedDevice;
import dev.terrace.region.folder.UnusablePathException.FatalPathException;
import dev.terrace.region.format.DeviceGeometry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathSplitTest {

  private static final Path A = Path.of("/disk/a");
  private static final Path B = Path.of("/disk/b");
  private static final long MB = 1 << 20;

  @ParameterizedTest
  @CsvSource({
    "1, 65536, 16",
    "2, 131072, 16",
    "3, 131072, 24",
    "100, 4194304, 25",
    "255, 8388608, 31",
    "256, 16777216, 16",
    "1048576, 16777216, 65536"
  })
  void choosesRegionsBySize(long megabytes, int regionBytes, int regions) {
    DeviceGeometry one = PathSplit.of(List.of(A), megabytes * MB).geometry();
    assertThat(one).isEqualTo(new DeviceGeometry(regionBytes, regions));
    DeviceGeometry two = PathSplit.of(List.of(A, B), 2 * megabytes * MB).geometry();
    assertThat(two).as("each of two paths").isEqualTo(one);
  }

  @Test
  void neverTakesMoreThanItMay() {
    for (long sizeBytes = 2 * MB; sizeBytes <= 1L << 44; sizeBytes = sizeBytes * 9 / 7) {
      DeviceGeometry each = PathSplit.of(List.of(A, B), sizeBytes).geometry();
      assertThat(2 * each.sizeBytes()).isLessThanOrEqualTo(sizeBytes);
      assertThat(each.regions()).isGreaterThanOrEqualTo(PathSplit.MIN_REGIONS);
      assertThat(sizeBytes - 2 * each.sizeBytes()).isLessThan(2L * each.regionBytes() + 2);
    }
  }

  private static SimulatedDevice device() {
    return new SimulatedDevice(new SimulatedDisk(32, 65536), false, 1);
  }

  @Test
  void aPathThatHangsIsLeftOutAndClosedOnceItIsOpen() throws IOException {
    CountDownLatch answer = new CountDownLatch(1);
    Map<Path, SimulatedDevice> opened = new ConcurrentHashMap<>();
    PathAnswers.Question<Device> opening =
        path -> {
          if (path.equals(B)) {
            Awaitility.await().until(() -> answer.getCount() == 0);
          }
          return opened.computeIfAbsent(path, each -> device());
        };

    List<Device> devices =
        new PathSplit(List.of(A, B), 4 * MB, 65536)
            .withoutSickPaths()
            .openAll(opening, Duration.ofMillis(200));

    assertThat(devices.get(0)).isSameAs(opened.get(A));
    assertThat(devices.get(1)).isInstanceOf(UnopenedDevice.class);
    assertThat(((UnopenedDevice) devices.get(1)).why())
        .hasMessageContainingAll("/disk/b", "did not answer", "take the path out");
    answer.countDown();
    Awaitility.await().until(() -> opened.containsKey(B) && opened.get(B).isClosed());
    assertThat(opened.get(A).isClosed()).isFalse();
  }

  @Test
  void ifOnePathIsWrongTheOthersAreClosed() {
    Map<Path, SimulatedDevice> opened = new ConcurrentHashMap<>();
    PathAnswers.Question<Device> opening =
        path -> {
          if (path.equals(A)) {
            throw new FatalPathException(path, "is wrong", "mend it", null);
          }
          return opened.computeIfAbsent(path, each -> device());
        };

    assertThatThrownBy(
            () ->
                new PathSplit(List.of(A, B), 4 * MB, 65536)
                    .withoutSickPaths()
                    .openAll(opening, Patience.LIMIT))
        .isInstanceOf(FatalPathException.class);
    assertThat(opened.get(B).isClosed()).isTrue();
  }
}
