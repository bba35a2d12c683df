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
package dev.terrace.bench.replay;

import dev.terrace.region.device.Device;
import dev.terrace.region.format.CacheSecret;
import java.nio.ByteBuffer;
import java.util.UUID;

/** A device that is a piece of memory, so that a replay takes no time for I/O. */
final class MemoryDevice implements Device {

  private static final int MOST_REGION_BYTES = 16 << 20;

  /** A tier takes no block that is larger than half a region. */
  private static final int LEAST_BLOCKS_IN_REGION = 2;

  private static final int REGION_UNIT_BYTES = 4096;

  /** Enough for what is kept clean, and lost at the ends, to be little. */
  private static final int REGIONS = 200;

  /** The open one, and the two that are clean. */
  private static final int NOT_FULL_REGIONS = 3;

  /** A region's header and footer, and some names of files. */
  private static final int EDGES_BYTES = 1024;

  private final String name;
  private final boolean mapped;
  private final int regionBytes;
  private final ByteBuffer[] regions;
  private final CacheSecret secret = CacheSecret.random();

  private MemoryDevice(String name, boolean mapped, int regions, int regionBytes) {
    this.name = name;
    this.mapped = mapped;
    this.regionBytes = regionBytes;
    this.regions = new ByteBuffer[regions];
    for (int i = 0; i < regions; i++) {
      this.regions[i] = ByteBuffer.allocateDirect(regionBytes);
    }
  }

  /**
   * A device of some two hundred regions with room for blocks of so many bytes together. The
   * regions that a tier keeps open and clean come on top: a few of the many thousand of a real
   * device.
   *
   * @param payloadBytes of all blocks, in the trace's measure
   */
  static MemoryDevice forRecords(
      String name, boolean mapped, StoredScale scale, long payloadBytes) {
    int recordBytes = scale.recordBytes();
    long blocks = Math.max(1, scale.tierBytes(payloadBytes) / scale.blockBytes());
    long wanted = Math.max(LEAST_BLOCKS_IN_REGION, blocks / REGIONS) * recordBytes + EDGES_BYTES;
    long units = (wanted + REGION_UNIT_BYTES - 1) / REGION_UNIT_BYTES;
    int regionBytes = (int) Math.min(MOST_REGION_BYTES, units * REGION_UNIT_BYTES);
    int inRegion = (regionBytes - EDGES_BYTES) / recordBytes;
    int regions = (int) ((blocks + inRegion - 1) / inRegion) + NOT_FULL_REGIONS;
    return new MemoryDevice(name, mapped, regions, regionBytes);
  }

  @Override
  public String path() {
    return name;
  }

  @Override
  public UUID id() {
    return new UUID(0, 0);
  }

  @Override
  public CacheSecret secret() {
    return secret;
  }

  @Override
  public long generation() {
    return 1;
  }

  @Override
  public int regions() {
    return regions.length;
  }

  @Override
  public int regionBytes() {
    return regionBytes;
  }

  @Override
  public int alignmentBytes() {
    return 1;
  }

  @Override
  public boolean isMapped() {
    return mapped;
  }

  @Override
  public ByteBuffer memory(int region) {
    return regions[region].duplicate();
  }

  @Override
  public void read(int region, int position, ByteBuffer target) {
    target.put(regions[region].slice(position, target.remaining()));
  }

  @Override
  public void write(int region, int position, ByteBuffer source) {
    regions[region].put(position, source, source.position(), source.remaining());
    source.position(source.limit());
  }

  @Override
  public void force(int region, int position, int lengthBytes) {}

  @Override
  public void close() {}
}
