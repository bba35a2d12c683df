// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.TestEffort;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Power cuts while the superblock is written, of which any part of what was not synced is left. */
class TornSuperblockTest {

  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(1 << 20, 8);
  private static final int CUTS = TestEffort.times(1000);

  private final SplittableRandom random = new SplittableRandom();
  private byte[] medium = new byte[Superblock.FILE_BYTES];
  private byte[] written = medium.clone();
  private int operations = -1;
  private byte[] left;

  @ParameterizedTest(name = "unit={0}")
  @ValueSource(ints = {8, 64, 512, 4096})
  void aCutLeavesOneWholeCopy(int unitBytes) throws IOException {
    Superblock last = Superblock.fresh(DeviceKind.PMEM, GEOMETRY, "contents", 1, 0);
    SuperblockFile file = new CutFile(unitBytes);
    file.writeCopies(medium, last.encode());
    int olds = 0;
    for (int cut = 0; cut < CUTS; cut++) {
      Superblock next = last.next(GEOMETRY, cut, 0);
      left = null;
      operations = random.nextInt(5);
      int synced = operations;
      file.writeCopies(medium, next.encode());
      cutPower(unitBytes);
      medium = left;
      written = medium.clone();
      Superblock found = Superblock.decode(medium).superblock().orElseThrow();
      // An opening that a cut ended may be repeated, and leave parts of both attempts.
      boolean isNext = found.generation() == next.generation();
      assertThat(isNext || found.equals(last)).as("found=%s last=%s", found, last).isTrue();
      assertThat(isNext || synced < 2).as("synced, and lost").isTrue();
      olds += isNext ? 0 : 1;
      last = found;
    }
    assertThat(olds).as("cuts that left the last opening's").isBetween(1, CUTS - 1);
  }

  /** A file on the medium, whose power is cut before one of its operations. */
  private final class CutFile extends SuperblockFile {

    private final int unitBytes;

    CutFile(int unitBytes) {
      super(Path.of("medium"), null);
      this.unitBytes = unitBytes;
    }

    @Override
    void write(int at, byte[] bytes) {
      cutPower(unitBytes);
      System.arraycopy(bytes, 0, written, at, bytes.length);
    }

    @Override
    void sync() {
      cutPower(unitBytes);
      medium = written.clone();
    }
  }

  /** Cuts the power at its time. */
  private void cutPower(int unitBytes) {
    if (operations-- != 0) {
      return;
    }
    left = medium.clone();
    for (int at = 0; at < left.length; at += unitBytes) {
      if (random.nextBoolean()) {
        byte[] unit = Arrays.copyOfRange(written, at, at + unitBytes);
        System.arraycopy(unit, 0, left, at, unitBytes);
      }
    }
  }
}
