// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BlockAddressTest {

  @Test
  void givesBackWhatWasPacked() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      assertRoundTrip(
          random.nextInt(BlockAddress.MAX_REGION + 1),
          random.nextInt(BlockAddress.MAX_POSITION / 64 + 1) * 64,
          1 + random.nextInt(BlockAddress.MAX_PAYLOAD_BYTES));
    }
  }

  @Test
  void holdsTheEndsOfTheRanges() {
    assertRoundTrip(0, 0, 1);
    assertRoundTrip(BlockAddress.MAX_REGION, 0, 1);
    assertRoundTrip(0, BlockAddress.MAX_POSITION, 1);
    assertRoundTrip(0, 0, BlockAddress.MAX_PAYLOAD_BYTES);
    assertRoundTrip(
        BlockAddress.MAX_REGION, BlockAddress.MAX_POSITION, BlockAddress.MAX_PAYLOAD_BYTES);
    assertThat(BlockAddress.MAX_POSITION).isEqualTo((64 << 20) - 64);
    assertThat(BlockAddress.MAX_PAYLOAD_BYTES).isEqualTo((1 << 24) - 1);
  }

  private static void assertRoundTrip(int region, int position, int payloadBytes) {
    long address = BlockAddress.of(region, position, payloadBytes);
    assertThat(address).isNotEqualTo(BlockAddress.NONE);
    assertThat(BlockAddress.region(address)).isEqualTo(region);
    assertThat(BlockAddress.position(address)).isEqualTo(position);
    assertThat(BlockAddress.payloadBytes(address)).isEqualTo(payloadBytes);
  }

  @Test
  void namesWhatIsOutOfRange() {
    assertRefused(-1, 0, 1, "region=-1");
    assertRefused(BlockAddress.MAX_REGION + 1, 0, 1, "region=1048576");
    assertRefused(0, -64, 1, "positionBytes=-64");
    assertRefused(0, 63, 1, "positionBytes=63");
    assertRefused(0, 64 << 20, 1, "positionBytes=67108864");
    assertRefused(0, 0, 0, "payloadBytes=0");
    assertRefused(0, 0, 1 << 24, "payloadBytes=16777216");
  }

  private static void assertRefused(int region, int position, int payloadBytes, String named) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockAddress.of(region, position, payloadBytes))
        .withMessageContaining(named + " is not");
  }

  @Test
  void isReadable() {
    assertThat(BlockAddress.toString(BlockAddress.of(7, 128, 65_536)))
        .isEqualTo("region=7 position=128 payloadBytes=65536");
    assertThat(BlockAddress.toString(BlockAddress.NONE)).isEqualTo("none");
  }
}
