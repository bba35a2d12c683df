// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.Patience;
import dev.terrace.api.Tier;
import dev.terrace.api.TierContractTest;
import dev.terrace.region.device.Device;
import dev.terrace.region.format.RecordLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What {@link TierContractTest} asks of a region tier whose workers run in place. */
public abstract class RegionTierContract extends TierContractTest {

  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 24;

  private final Map<Tier<CountedBlock>, List<Device>> devices = new HashMap<>();

  /** The devices of a new tier, which together have {@code regions} regions, and are empty. */
  protected abstract List<? extends Device> newDevices(int regions, int regionBytes)
      throws IOException;

  /** Whether a device has given its path back. */
  protected abstract boolean isClosed(Device device);

  /** Whether the devices are memory. */
  protected abstract boolean isMapped();

  /** The tier's configuration. */
  protected RegionConfig config() {
    return RegionConfig.named("test", FILES);
  }

  @Override
  protected Tier<CountedBlock> newTier(CountedBlockCodec codec, long capacityBytes) {
    List<? extends Device> opened;
    try {
      opened = newDevices(REGIONS, REGION_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    RegionTier<CountedBlock> made =
        new RegionTier<>(codec, opened, config(), path -> Runnable::run, System::nanoTime);
    made.start();
    devices.put(made, List.copyOf(opened));
    return made;
  }

  @Override
  protected long capacityBytes() {
    return (long) REGIONS * REGION_BYTES;
  }

  @Override
  protected int largestBlockBytes() {
    return REGION_BYTES / 2;
  }

  @Override
  protected boolean sharesInstances() {
    return isMapped();
  }

  @Override
  protected long[] extremeOffsets() {
    return new long[] {0, 1, Integer.MAX_VALUE, 1L << 32, RecordLayout.MAX_OFFSET};
  }

  @Override
  protected boolean hasReturnedMemory(Tier<CountedBlock> closed) {
    try {
      assertThat(((RegionTier<CountedBlock>) closed).awaitReleased(Patience.LIMIT)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return devices.get(closed).stream().allMatch(this::isClosed);
  }
}
