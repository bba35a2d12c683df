// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.region.format.RecordLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A region tier on a device that is a file. */
class FileRegionTierTest extends SimulatedTierContract {

  @Override
  protected boolean isMapped() {
    return false;
  }

  @Test
  void headsAreReadAlone() {
    for (long offset = 0; offset < 20; offset++) {
      put("file", offset, blockBytes());
    }
    ((RegionTier<CountedBlock>) tier).sealOpen();
    long before = device().readBytes();
    for (long offset = 0; offset < 20; offset++) {
      assertThat(tier.head(file("file"), offset, ByteBuffer.allocate(33))).isTrue();
    }
    int recordHeader = RecordLayout.headerBytes("file".length());
    assertThat(device().readBytes() - before)
        .as("the record's header, which names the form of the payload, and the head")
        .isEqualTo(20L * (recordHeader + 33));
    device().readErrors(1);
    assertThat(tier.head(file("file"), 0, ByteBuffer.allocate(33))).isFalse();
    assertThat(tier.contains(file("file"), 0)).as("an error of the device is no damage").isTrue();
    device().readErrors(0);
  }
}
