/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.tiered;

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
        RegionConfig.named("ssd").withCompression(compression),
        path -> Runnable::run,
        System::nanoTime);
  }
}
