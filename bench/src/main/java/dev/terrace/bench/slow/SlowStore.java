// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A slow store: callers wait until its simulated device would have finished. */
final class SlowStore implements SlowFileSystem.SlowStoreMXBean {

  private static final Logger LOG = LoggerFactory.getLogger(SlowStore.class);

  /**
   * Hadoop creates several file systems for one address in a JVM; their requests share one queue.
   */
  private static final Map<SlowProfile, SlowStore> OF_THIS_JVM = new ConcurrentHashMap<>();

  /** The prefix of the names of HBase's handler threads. */
  private static final String HANDLERS = "RpcServer";

  private static final long LOOK_INTERVAL_NANOS = 50_000_000;

  private final SlowDevice device;
  private final SlowClock clock;
  private final Path warmUpFile;
  private final LongAdder reads = new LongAdder();
  private final LongAdder readBytes = new LongAdder();
  private final LongAdder readsOfClients = new LongAdder();
  private volatile boolean warmingUp = true;
  private volatile long nextLookNanos;

  /**
   * @param warmUpFile while it exists, the store is not slow
   */
  SlowStore(SlowDevice device, SlowClock clock, Path warmUpFile) {
    this.device = device;
    this.clock = clock;
    this.warmUpFile = warmUpFile;
    this.nextLookNanos = clock.nanoTime();
  }

  /** Returns the one store of a profile; only the first call sets its warm-up file. */
  static SlowStore of(SlowProfile profile, Path warmUpFile) {
    return OF_THIS_JVM.computeIfAbsent(profile, absent -> open(absent, warmUpFile));
  }

  private static SlowStore open(SlowProfile profile, Path warmUpFile) {
    SlowStore store = new SlowStore(new SlowDevice(profile), new SlowClock(), warmUpFile);
    LOG.warn("Files are in a SIMULATION of a slow store, {}", profile.describe());
    LOG.warn("It is not slow as long as {} exists", warmUpFile);
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(store, new ObjectName(QUERY));
    } catch (JMException e) {
      LOG.warn("What is read is not in JMX", e);
    }
    return store;
  }

  void countRead(int bytes) {
    reads.increment();
    readBytes.add(bytes);
    if (Thread.currentThread().getName().startsWith(HANDLERS)) {
      readsOfClients.increment();
    }
  }

  long reads() {
    return reads.sum();
  }

  @Override
  public long getReadBytes() {
    return readBytes.sum();
  }

  @Override
  public long getReadsOfClients() {
    return readsOfClients.sum();
  }

  /**
   * Returns whether the file existed up to 50 ms ago; after false, it never returns true again. A
   * run fills its caches quickly, and then deletes the file.
   */
  private boolean isWarmingUp(long nowNanos) {
    if (warmingUp && nowNanos - nextLookNanos >= 0) {
      nextLookNanos = nowNanos + LOOK_INTERVAL_NANOS;
      warmingUp = Files.exists(warmUpFile);
    }
    return warmingUp;
  }

  /** Waits as long as a request without data takes. */
  void metadataRequest() throws InterruptedIOException {
    long now = clock.nanoTime();
    if (!isWarmingUp(now)) {
      await(now, device.metadata(now));
    }
  }

  /** Queues a transfer that follows another one; returns its end time. */
  long transfer(long notBeforeNanos, long bytes, Object reader, boolean goesOn) {
    long now = clock.nanoTime();
    if (isWarmingUp(now)) {
      return now;
    }
    long start = notBeforeNanos - now > 0 ? notBeforeNanos : now;
    return device.transfer(start, bytes, reader, goesOn);
  }

  private void await(long nowNanos, long deadlineNanos) throws InterruptedIOException {
    if (deadlineNanos - nowNanos > 0) {
      clock.awaitNanoTime(deadlineNanos);
    }
  }

  /**
   * A stream of bytes at the speed of the store. It defers waits that are too short to wake a
   * thread in time, until they add up. Used by one thread.
   */
  final class Stream {

    private static final long WORTH_WAITING_NANOS = 200_000;

    private long readyAtNanos = clock.nanoTime();
    private boolean hasBegun;

    void transfer(long bytes) throws InterruptedIOException {
      transfer(bytes, hasBegun);
      hasBegun = true;
    }

    /** Moves bytes, for a new request or as part of the last one. */
    void transfer(long bytes, boolean goesOn) throws InterruptedIOException {
      readyAtNanos = SlowStore.this.transfer(readyAtNanos, bytes, this, goesOn);
      if (readyAtNanos - clock.nanoTime() >= WORTH_WAITING_NANOS) {
        finish();
      }
    }

    void finish() throws InterruptedIOException {
      await(clock.nanoTime(), readyAtNanos);
    }
  }

  /**
   * The queue of a slow store: when would a request that arrives now be finished?
   *
   * <p>Requests queue in order of arrival for what they share: either for the only head of a disk,
   * for the whole request, or for the line, for the time that the bytes need at its full speed. The
   * rest of a request, the time to its first byte and the slower pace of its own stream, overlaps
   * with other requests. It never waits itself. Thread-safe.
   */
  static final class SlowDevice {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SEED = 20_240_501;

    private final SlowProfile profile;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private boolean used;
    private long freeAtNanos;
    private Object atHead;

    SlowDevice(SlowProfile profile) {
      this.profile = profile;
    }

    /**
     * Queues a data request; returns its end time.
     *
     * @param reader a reader that goes on where it stopped needs no new request, unless another
     *     reader has had the only head since
     */
    synchronized long transfer(long nowNanos, long bytes, Object reader, boolean goesOn) {
      if (!used) {
        used = true;
        freeAtNanos = nowNanos;
      }
      boolean headStayed = !profile.oneAtATime() || atHead == reader;
      long latency = goesOn && headStayed ? 0 : latencyNanos();
      long begin = freeAtNanos - nowNanos > 0 ? freeAtNanos : nowNanos;
      long onLine = transferNanos(bytes, profile.deviceBytesPerSecond());
      long inStream = transferNanos(bytes, profile.streamBytesPerSecond());
      long end = begin + latency + Math.max(onLine, inStream);
      freeAtNanos = profile.oneAtATime() ? end : begin + onLine;
      atHead = reader;
      return end;
    }

    /** Queues a request without data; returns its end time. */
    long metadata(long nowNanos) {
      return nowNanos + profile.metadataMillis() * NANOS_PER_MILLI;
    }

    private long latencyNanos() {
      return random.nextLong(
          profile.minMillis() * NANOS_PER_MILLI, profile.maxMillis() * NANOS_PER_MILLI + 1);
    }

    private static long transferNanos(long bytes, long bytesPerSecond) {
      return bytesPerSecond == 0 ? 0 : (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
    }
  }

  /** The clock of this machine, and waits on it. */
  static class SlowClock {

    long nanoTime() {
      return System.nanoTime();
    }

    /**
     * Returns at this time; throws if the thread is interrupted, and keeps the interrupt status.
     */
    void awaitNanoTime(long deadlineNanos) throws InterruptedIOException {
      long left = deadlineNanos - System.nanoTime();
      while (left > 0) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted while waiting for a simulated slow store");
        }
        LockSupport.parkNanos(this, left);
        left = deadlineNanos - System.nanoTime();
      }
    }
  }
}
