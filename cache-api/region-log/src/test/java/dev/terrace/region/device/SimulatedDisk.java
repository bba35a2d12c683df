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
package dev.terrace.region.device;

import dev.terrace.region.format.CacheSecret;
import dev.terrace.region.format.RecoveryMark;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * What a disk holds, seen from two sides: what was written, and what of that is durable. A power
 * cut loses the difference, or any part of it. Thread-safe but for the power cut.
 */
public final class SimulatedDisk {

  private final int regionBytes;
  private final UUID id = new UUID(0x5EED, 0xD15C);
  private final CacheSecret secret;
  private ByteBuffer[] written;
  private final ByteBuffer[] durable;
  private long generation;
  private RecoveryMark mark = RecoveryMark.NONE;

  /** An empty disk. */
  public SimulatedDisk(int regions, int regionBytes) {
    this(regions, regionBytes, new CacheSecret(0x5EC, 0x2E7));
  }

  private SimulatedDisk(int regions, int regionBytes, CacheSecret secret) {
    this.secret = secret;
    this.regionBytes = regionBytes;
    this.written = new ByteBuffer[regions];
    this.durable = new ByteBuffer[regions];
    for (int i = 0; i < regions; i++) {
      written[i] = ByteBuffer.allocateDirect(regionBytes);
      durable[i] = ByteBuffer.allocateDirect(regionBytes);
    }
  }

  int regions() {
    return written.length;
  }

  int regionBytes() {
    return regionBytes;
  }

  UUID id() {
    return id;
  }

  public synchronized RecoveryMark mark() {
    return mark;
  }

  public synchronized void mark(RecoveryMark written) {
    mark = written;
  }

  public CacheSecret secret() {
    return secret;
  }

  /** Opens it once more. */
  long open() {
    return ++generation;
  }

  /** The bytes of a region as readers see them. */
  public ByteBuffer region(int region) {
    return written[region].duplicate();
  }

  void write(int region, int position, ByteBuffer source) {
    written[region].put(position, source, source.position(), source.remaining());
  }

  void force(int region, int position, int lengthBytes) {
    durable[region].put(position, written[region], position, lengthBytes);
  }

  /** What a process that is killed now would leave on a disk that is a file. */
  public SimulatedDisk copy() {
    SimulatedDisk copy = new SimulatedDisk(written.length, regionBytes, secret);
    for (int i = 0; i < written.length; i++) {
      copy.written[i].put(0, written[i], 0, regionBytes);
    }
    copy.generation = generation;
    return copy;
  }

  /**
   * The disk after its process was killed: memory that others may still refer to is left to them.
   */
  public void detach() {
    ByteBuffer[] copies = new ByteBuffer[written.length];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = ByteBuffer.allocateDirect(regionBytes).put(0, written[i], 0, regionBytes);
    }
    written = copies;
  }

  /**
   * The disk after a power cut: each sector that was not made durable is as written or as before.
   * Nobody may use the memory any more.
   *
   * @param random decides which
   */
  public void cutPower(SplittableRandom random) {
    int sector = 512;
    for (int i = 0; i < written.length; i++) {
      for (int at = 0; at < regionBytes; at += sector) {
        if (random.nextBoolean()) {
          written[i].put(at, durable[i], at, sector);
        }
      }
      durable[i].put(0, written[i], 0, regionBytes);
    }
  }

  /** Changes one bit. */
  public void flip(int region, int position, int bit) {
    byte before = written[region].get(position);
    written[region].put(position, (byte) (before ^ 1 << bit));
  }
}
