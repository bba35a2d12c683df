// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Patience;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.folder.UnusablePathException.FatalPathException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class DeviceOpenerTest {

  private static final Path A = Path.of("/disk/a");
  private static final Path B = Path.of("/disk/b");
  private static final PathSplit SPLIT =
      new PathSplit(PathSplit.even(List.of(A, B), 4 << 20), 65536).withoutSickPaths();

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

    List<Device> devices = DeviceOpener.openAll(SPLIT, opening, Duration.ofMillis(200));

    assertThat(devices.get(0)).isSameAs(opened.get(A));
    assertThat(devices.get(1)).isInstanceOf(UnopenedDevice.class);
    assertThat(((UnopenedDevice) devices.get(1)).why())
        .hasMessageContainingAll("/disk/b", "did not respond", "remove the path");
    answer.countDown();
    Awaitility.await().until(() -> opened.containsKey(B) && opened.get(B).isClosed());
    assertThat(opened.get(A).isClosed()).isFalse();
  }

  /** Such as one that a file system with odd figures causes, or a lack of memory. */
  @Test
  void whateverAPathFailsWithCostsThatPathAlone() throws IOException {
    for (Throwable failure : List.of(new ArithmeticException("odd"), new OutOfMemoryError("odd"))) {
      PathAnswers.Question<Device> opening =
          path -> {
            if (path.equals(B) && failure instanceof Error error) {
              throw error;
            } else if (path.equals(B)) {
              throw (RuntimeException) failure;
            }
            return device();
          };

      List<Device> devices = DeviceOpener.openAll(SPLIT, opening, Patience.LIMIT);

      assertThat(devices.get(0)).isInstanceOf(SimulatedDevice.class);
      assertThat(((UnopenedDevice) devices.get(1)).why())
          .hasMessageContainingAll("/disk/b", "odd")
          .hasCause(failure);
    }
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

    assertThatThrownBy(() -> DeviceOpener.openAll(SPLIT, opening, Patience.LIMIT))
        .isInstanceOf(FatalPathException.class);
    assertThat(opened.get(B).isClosed()).isTrue();
  }
}
