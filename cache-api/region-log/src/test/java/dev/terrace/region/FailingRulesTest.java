// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.files.FileRules;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of the application that fail with an exception or an error. */
class FailingRulesTest extends TierOnSimulatedDisk {

  private NumberedBlocks blocks;

  private static boolean fail(boolean withError) {
    if (withError) {
      throw new NoClassDefFoundError("as asked");
    }
    throw new IllegalStateException("as asked");
  }

  private void open(FileRules rules) {
    make(new SimulatedDevice(disk, false, 1), RegionConfig.named("test", FILES).withRules(rules));
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsNotKnownToBeStorableIsRefused(boolean withError) {
    open(FileRules.NONE.withStorable(file -> fail(withError)));
    assertThat(blocks.put(0)).isEqualTo(PutOutcome.ENCRYPTED);
    assertThat(tier.accepts(file("file"), 0, BLOCK)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsNotKnownToBePublicIsNotWrittenInClear(boolean withError) {
    open(FileRules.NONE.withEncrypted(file -> fail(withError)));
    assertThat(blocks.put(0)).isEqualTo(PutOutcome.ENCRYPTED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsNotKnownToLeaveStays(boolean withError) {
    open(FileRules.NONE.withLeaving((file, offset) -> fail(withError)));
    assertThat(blocks.put(0)).isEqualTo(PutOutcome.STORED);
    assertThat(blocks.read(0)).isTrue();
  }
}
