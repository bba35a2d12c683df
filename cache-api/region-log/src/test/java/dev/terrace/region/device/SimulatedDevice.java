// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.format.Superblock.CacheSecret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A device over a {@link SimulatedDisk} that fails as it is told to. Thread-safe.
 *
 * <p>Rates are probabilities from 0 to 1, drawn from the seed.
 */
public final class SimulatedDevice implements Device {

  private final SimulatedDisk disk;
  private final boolean mapped;
  private final long generation;
  private String path = "simulated";
  private final SplittableRandom random;
  private volatile double readErrorRate;
  private volatile double writeErrorRate;
  private volatile double flipRate;
  private final Set<Integer> badRegions = ConcurrentHashMap.newKeySet();
  private final Set<Integer> unreadable = ConcurrentHashMap.newKeySet();
  private volatile int spaceBytes = Integer.MAX_VALUE;
  private volatile int maxRegions = Integer.MAX_VALUE;
  private volatile CountDownLatch stall;
  private volatile boolean readsGoOn;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicReference<Error> failOnce = new AtomicReference<>();
  private final AtomicReference<Error> failResizeOnce = new AtomicReference<>();
  private final AtomicReference<Error> failReadOnce = new AtomicReference<>();
  private final AtomicInteger readsBeforeError = new AtomicInteger();
  private final AtomicLong readBytes = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicInteger writesBeforeError = new AtomicInteger();
  private volatile Map<Integer, Error> failing = Map.of();
  private volatile BlockCipher cipher;
  private volatile int alignmentBytes = 1;
  private volatile boolean closed;
  private volatile Looks looks = Optional::empty;
  private volatile Runnable onRead = () -> {};

  /** Looks whether the path is the device's. */
  @FunctionalInterface
  public interface Looks {
    Optional<String> whyLost() throws IOException;
  }

  /** Opens the disk as memory or as a file. */
  public SimulatedDevice(SimulatedDisk disk, boolean mapped, long seed) {
    this.disk = disk;
    this.mapped = mapped;
    this.generation = disk.open();
    this.random = new SplittableRandom(seed);
  }

  /** Has a path of its own. */
  public SimulatedDevice at(String place) {
    path = place;
    return this;
  }

  /** Takes only reads and writes at multiples of a power of two, as past the page cache. */
  public SimulatedDevice aligned(int bytes) {
    alignmentBytes = bytes;
    return this;
  }

  private void checkAligned(int position, int lengthBytes) {
    if ((position | lengthBytes) % alignmentBytes != 0) {
      throw new AssertionError("position=" + position + " lengthBytes=" + lengthBytes);
    }
  }

  /** Lets this share of the reads fail. */
  public SimulatedDevice readErrors(double rate) {
    readErrorRate = rate;
    return this;
  }

  /** Lets this share of the writes and forces fail; of a failed write some bytes are written. */
  public SimulatedDevice writeErrors(double rate) {
    writeErrorRate = rate;
    return this;
  }

  /** Lets this share of the reads return one wrong bit. */
  public SimulatedDevice flips(double rate) {
    flipRate = rate;
    return this;
  }

  /** Lets all reads of a region fail, or none. */
  public SimulatedDevice unreadable(int region, boolean isUnreadable) {
    if (isUnreadable) {
      unreadable.add(region);
    } else {
      unreadable.remove(region);
    }
    return this;
  }

  /** Lets all writes to a region fail. */
  public SimulatedDevice badRegion(int region) {
    badRegions.add(region);
    return this;
  }

  /** A bad region works again. */
  public SimulatedDevice goodRegion(int region) {
    badRegions.remove(region);
    return this;
  }

  /** Lets writes find no space. */
  public SimulatedDevice full(boolean isFull) {
    return spaceFor(isFull ? 0 : Integer.MAX_VALUE);
  }

  /** Lets longer writes find no space. */
  public SimulatedDevice spaceFor(int bytes) {
    spaceBytes = bytes;
    return this;
  }

  /** Lets it grow to no more regions. */
  public SimulatedDevice maxRegions(int most) {
    maxRegions = most;
    return this;
  }

  /** Lets reads, writes and forces wait until {@link #resume}. */
  public synchronized void stall() {
    if (stall == null) {
      stall = new CountDownLatch(1);
    }
  }

  /** Runs this in each read, such as to let time pass on a clock. */
  public SimulatedDevice onRead(Runnable action) {
    onRead = action;
    return this;
  }

  /** Lets writes and forces wait until {@link #resume}, and reads go on. */
  public synchronized void stallWrites() {
    readsGoOn = true;
    stall();
  }

  /** Lets everything go on that waits. */
  public synchronized void resume() {
    CountDownLatch latch = stall;
    stall = null;
    readsGoOn = false;
    if (latch != null) {
      latch.countDown();
    }
  }

  /** Lets a look at the path find this. */
  public void looks(Looks result) {
    looks = result;
  }

  @Override
  public Optional<String> whyLost() throws IOException {
    return looks.whyLost();
  }

  /** How many reads succeeded. */
  public long reads() {
    return reads.get();
  }

  /** How many bytes were read. */
  public long readBytes() {
    return readBytes.get();
  }

  /** How many threads wait for {@link #resume}. */
  public int waiting() {
    return waiting.get();
  }

  /** Lets the next write throw an error. */
  public void failOnce(Error error) {
    failOnce(0, error);
  }

  /** Lets a write throw an error, after so many that do not. */
  public void failOnce(int after, Error error) {
    writesBeforeError.set(after);
    failOnce.set(error);
  }

  /** Lets all writes to a region throw an error; null for none. */
  public void failAlways(int region, Error error) {
    failing = error == null ? Map.of() : Map.of(region, error);
  }

  /** Lets the next change of size throw an error. */
  public void failResizeOnce(Error error) {
    failResizeOnce.set(error);
  }

  /** Lets a read throw an error, after so many that do not. */
  public void failReadOnce(int after, Error error) {
    readsBeforeError.set(after);
    failReadOnce.set(error);
  }

  private void enter() throws IOException {
    enter(stall);
  }

  private void enter(CountDownLatch latch) throws IOException {
    if (closed) {
      throw new IOException("closed: " + path());
    }
    if (latch != null) {
      waiting.incrementAndGet();
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      } finally {
        waiting.decrementAndGet();
      }
    }
  }

  private synchronized boolean happens(double rate) {
    return rate > 0 && random.nextDouble() < rate;
  }

  private synchronized int pick(int bound) {
    return random.nextInt(bound);
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public CacheSecret secret() {
    return disk.secret();
  }

  /** Gives the device a data key. */
  public SimulatedDevice encrypting(BlockCipher withKey) {
    cipher = withKey;
    return this;
  }

  @Override
  public BlockCipher cipher() {
    return cipher;
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public ByteBuffer evictions(int place) throws IOException {
    enter(readsGoOn ? null : stall);
    if (happens(readErrorRate)) {
      throw new IOException("Input/output error (simulated read)");
    }
    return disk.evictions(place);
  }

  @Override
  public void evictions(int place, int position, ByteBuffer list) throws IOException {
    enter();
    if (happens(writeErrorRate)) {
      throw new IOException("Input/output error (simulated write)");
    }
    disk.evictions(place, position, list);
  }

  @Override
  public int regions() {
    return disk.regions();
  }

  @Override
  public void resize(int regions) throws IOException {
    enter();
    Error error = failResizeOnce.getAndSet(null);
    if (error != null) {
      throw error;
    }
    if (regions > maxRegions) {
      throw new IOException("Auf dem Gerät ist kein Speicherplatz mehr verfügbar");
    }
    disk.resize(regions);
  }

  @Override
  public int regionBytes() {
    return disk.regionBytes();
  }

  @Override
  public int alignmentBytes() {
    return alignmentBytes;
  }

  @Override
  public boolean isMapped() {
    return mapped;
  }

  @Override
  public ByteBuffer memory(int region) {
    if (!mapped) {
      throw new UnsupportedOperationException("not mapped");
    }
    return disk.region(region);
  }

  @Override
  public void read(int region, int position, ByteBuffer target) throws IOException {
    checkAligned(position, target.remaining());
    enter(readsGoOn ? null : stall);
    onRead.run();
    Error error = readsBeforeError.getAndDecrement() == 0 ? failReadOnce.getAndSet(null) : null;
    if (error != null) {
      throw error;
    }
    if (unreadable.contains(region) || happens(readErrorRate)) {
      throw new IOException("Input/output error (simulated read)");
    }
    int start = target.position();
    readBytes.addAndGet(target.remaining());
    reads.incrementAndGet();
    target.put(disk.region(region).slice(position, target.remaining()));
    if (happens(flipRate)) {
      int at = start + pick(target.position() - start);
      target.put(at, (byte) (target.get(at) ^ 1 << pick(8)));
    }
  }

  @Override
  public void write(int region, int position, ByteBuffer source) throws IOException {
    checkAligned(position, source.remaining());
    enter();
    Error error = writesBeforeError.getAndDecrement() == 0 ? failOnce.getAndSet(null) : null;
    if (error != null) {
      throw error;
    }
    if (failing.containsKey(region)) {
      throw failing.get(region);
    }
    if (source.remaining() > spaceBytes) {
      throw new IOException("No space left on device");
    }
    if (badRegions.contains(region)) {
      throw new IOException("Input/output error (simulated bad region)");
    }
    if (happens(writeErrorRate)) {
      int part = pick(source.remaining());
      disk.write(region, position, source.slice(source.position(), part));
      throw new IOException("Input/output error (simulated write)");
    }
    disk.write(region, position, source);
    source.position(source.limit());
  }

  @Override
  public void force(int region, int position, int lengthBytes) throws IOException {
    enter();
    if (badRegions.contains(region) || happens(writeErrorRate)) {
      throw new IOException("Input/output error (simulated force)");
    }
    disk.force(region, position, lengthBytes);
  }

  @Override
  public void close() {
    closed = true;
  }

  public boolean isClosed() {
    return closed;
  }
}
