// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;

import dev.terrace.api.BlockCodec;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;

/** Makes tiers of files over one simulated disk, which do all their work on the caller's thread. */
public final class SimulatedSsd {

  private SimulatedSsd() {}

  /** A tier that is not started yet. */
  static <B> RegionTier<B> of(BlockCodec<B> codec, int regions, int regionBytes) {
    return of(codec, regions, regionBytes, Compression.NONE);
  }

  /** The same with blocks that are compressed. */
  public static <B> RegionTier<B> of(
      BlockCodec<B> codec, int regions, int regionBytes, Compression compression) {
    return new RegionTier<>(
        codec,
        List.of(new SimulatedDevice(new SimulatedDisk(regions, regionBytes), false, 1)),
        RegionConfig.named("ssd", FILES).withCompression(compression),
        path -> Runnable::run,
        System::nanoTime);
  }
}
