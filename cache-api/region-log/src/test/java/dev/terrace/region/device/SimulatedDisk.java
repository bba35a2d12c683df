// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.format.Superblock.CacheSecret;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a disk holds, seen from two sides: what was written, and what of that is on the medium. A
 * force brings a part of a region there. Anything else may get there too, in units and in any
 * order: {@link #writeBack} now, {@link #afterPowerCut} at a power cut. Thread-safe but for these
 * two.
 */
public final class SimulatedDisk {

  /** Of the units that were not forced, how many reach the medium. */
  private static final double[] SHARES = {0, 0.05, 0.5, 0.95, 1};

  private final int regionBytes;
  private final UUID id = new UUID(0x5EED, 0xD15C);
  private final CacheSecret secret;
  private volatile ByteBuffer[] written = {};
  private volatile ByteBuffer[] durable = {};
  private final AtomicLong writtenBytes = new AtomicLong();
  private int unitBytes = 512;
  private Runnable beforeChange = () -> {};
  private long generation;
  private final byte[][] evictions = {{}, {}, {}};

  /** An empty disk. */
  public SimulatedDisk(int regions, int regionBytes) {
    this(regions, regionBytes, new CacheSecret(0x5EC, 0x2E7));
  }

  private SimulatedDisk(int regions, int regionBytes, CacheSecret secret) {
    this.secret = secret;
    this.regionBytes = regionBytes;
    resize(regions);
  }

  /** Sets what is written as a whole or not at all: a sector, or a cache line of memory. */
  public SimulatedDisk withUnits(int bytes) {
    unitBytes = bytes;
    return this;
  }

  /** Has something run before each write and force. */
  public void beforeChange(Runnable action) {
    beforeChange = action;
  }

  /** Changes the number of regions. New ones are zero. */
  synchronized void resize(int regions) {
    written = resized(written, regions);
    durable = resized(durable, regions);
  }

  private ByteBuffer[] resized(ByteBuffer[] before, int regions) {
    ByteBuffer[] after = Arrays.copyOf(before, regions);
    for (int i = before.length; i < regions; i++) {
      after[i] = ByteBuffer.allocateDirect(regionBytes);
    }
    return after;
  }

  public int regions() {
    return written.length;
  }

  int regionBytes() {
    return regionBytes;
  }

  UUID id() {
    return id;
  }

  /** The lists of evictions as they were written. */
  public synchronized ByteBuffer evictions(int place) {
    return ByteBuffer.wrap(evictions[place].clone());
  }

  /** Writes a list of evictions. What is behind it stays. */
  public synchronized void evictions(int place, int position, ByteBuffer list) {
    int endBytes = position + list.remaining();
    byte[] bytes = Arrays.copyOf(evictions[place], Math.max(evictions[place].length, endBytes));
    list.get(list.position(), bytes, position, list.remaining());
    evictions[place] = bytes;
    writtenBytes.addAndGet(list.remaining());
  }

  private void copyEvictionsTo(SimulatedDisk other) {
    for (int place = 0; place < evictions.length; place++) {
      other.evictions(place, 0, evictions(place));
    }
  }

  public CacheSecret secret() {
    return secret;
  }

  /** Opens it once more. */
  long open() {
    return ++generation;
  }

  /** How many bytes were written to it. */
  public long writtenBytes() {
    return writtenBytes.get();
  }

  /** The bytes of a region as readers see them. */
  public ByteBuffer region(int region) {
    return written[region].duplicate();
  }

  void write(int region, int position, ByteBuffer source) {
    beforeChange.run();
    writtenBytes.addAndGet(source.remaining());
    written[region].put(position, source, source.position(), source.remaining());
  }

  void force(int region, int position, int lengthBytes) {
    beforeChange.run();
    durable[region].put(position, written[region], position, lengthBytes);
  }

  /** What a process that is killed now would leave on a disk that is a file. */
  public SimulatedDisk copy() {
    SimulatedDisk copy = new SimulatedDisk(written.length, regionBytes, secret);
    for (int i = 0; i < written.length; i++) {
      copy.written[i].put(0, written[i], 0, regionBytes);
    }
    copy.generation = generation;
    copyEvictionsTo(copy);
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

  /** Lets some units reach the medium that nobody forced. */
  void writeBack(SplittableRandom random) {
    for (int region = 0; region < written.length; region++) {
      if (random.nextInt(4) == 0) {
        copySome(random, written[region], durable[region]);
      }
    }
  }

  /**
   * Another disk, with what a power cut leaves of this one: each unit that is not on the medium is
   * as written, or as it is there.
   *
   * @param random decides which
   */
  public SimulatedDisk afterPowerCut(SplittableRandom random) {
    SimulatedDisk after = new SimulatedDisk(written.length, regionBytes, secret);
    after.unitBytes = unitBytes;
    after.generation = generation;
    copyEvictionsTo(after);
    for (int region = 0; region < written.length; region++) {
      ByteBuffer medium = after.durable[region];
      medium.put(0, durable[region], 0, regionBytes);
      copySome(random, written[region], medium);
      after.written[region].put(0, medium, 0, regionBytes);
    }
    return after;
  }

  /** Copies some units: a few, half of them, or nearly all, between two places. */
  private void copySome(SplittableRandom random, ByteBuffer from, ByteBuffer to) {
    int units = regionBytes / unitBytes;
    int first = random.nextBoolean() ? 0 : random.nextInt(units);
    int end = random.nextBoolean() ? units : first + 1 + random.nextInt(units - first);
    double share = SHARES[random.nextInt(SHARES.length)];
    for (int at = first * unitBytes; at < end * unitBytes; at += unitBytes) {
      if (random.nextDouble() < share) {
        to.put(at, from, at, unitBytes);
      }
    }
  }

  /** Changes one bit. */
  public void flip(int region, int position, int bit) {
    byte before = written[region].get(position);
    written[region].put(position, (byte) (before ^ 1 << bit));
  }
}
