// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Bytes that tell where they belong, written to and read from a device. */
public final class RegionBytes {

  private static final int PAGE_BYTES = 4096;

  private RegionBytes() {}

  /** An empty buffer that any device takes. */
  public static ByteBuffer buffer(int bytes) {
    int pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES + 1;
    return ByteBuffer.allocateDirect(pages * PAGE_BYTES).alignedSlice(PAGE_BYTES).limit(bytes);
  }

  /** A buffer full of the bytes of a seed. */
  public static ByteBuffer of(long seed, int bytes) {
    byte[] array = new byte[bytes];
    new SplittableRandom(seed).nextBytes(array);
    return buffer(bytes).put(array).flip();
  }

  /** Writes the bytes of a seed. */
  public static void write(Device device, int region, int position, long seed, int bytes)
      throws IOException {
    device.write(region, position, of(seed, bytes));
  }

  /** What a device has. */
  public static ByteBuffer read(Device device, int region, int position, int bytes)
      throws IOException {
    ByteBuffer target = buffer(bytes);
    device.read(region, position, target);
    assertThat(target.hasRemaining()).isFalse();
    return target.flip();
  }

  /** Checks that a device has the bytes of a seed. */
  public static void check(Device device, int region, int position, long seed, int bytes)
      throws IOException {
    int mismatch = read(device, region, position, bytes).mismatch(of(seed, bytes));
    assertThat(mismatch)
        .as("first wrong byte of region %d from position %d", region, position)
        .isEqualTo(-1);
  }

  /** Checks that a whole region has never been written. */
  public static void checkZero(Device device, int region) throws IOException {
    int bytes = device.regionBytes();
    assertThat(read(device, region, 0, bytes).mismatch(ByteBuffer.allocate(bytes)))
        .as("first byte of region %d that is not zero", region)
        .isEqualTo(-1);
  }
}
