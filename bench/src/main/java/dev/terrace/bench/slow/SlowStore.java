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
package dev.terrace.bench.slow;

import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A slow store: callers wait until its device would have been done. */
final class SlowStore implements SlowStoreMXBean {

  private static final Logger LOG = LoggerFactory.getLogger(SlowStore.class);

  /** Hadoop makes several file systems of one address in one JVM; their requests queue together. */
  private static final Map<SlowProfile, SlowStore> OF_THIS_JVM = new ConcurrentHashMap<>();

  /** HBase's name of the threads that answer clients begins so. */
  private static final String HANDLERS = "RpcServer";

  private static final long LOOK_INTERVAL_NANOS = 50_000_000;

  private final SlowDevice device;
  private final SlowClock clock;
  private final Path warmUpFile;
  private final LongAdder readBytes = new LongAdder();
  private final LongAdder readsOfClients = new LongAdder();
  private volatile boolean warmingUp;
  private volatile long nextLookNanos;

  SlowStore(SlowDevice device, SlowClock clock, Optional<Path> warmUpFile) {
    this.device = device;
    this.clock = clock;
    this.warmUpFile = warmUpFile.orElse(null);
    this.warmingUp = warmUpFile.isPresent();
    this.nextLookNanos = clock.nanoTime();
  }

  /** Returns the one store of a profile; only the first call sets its warm-up file. */
  static SlowStore of(SlowProfile profile, Optional<Path> warmUpFile) {
    return OF_THIS_JVM.computeIfAbsent(profile, absent -> open(absent, warmUpFile));
  }

  private static SlowStore open(SlowProfile profile, Optional<Path> warmUpFile) {
    SlowStore store = new SlowStore(new SlowDevice(profile), new SlowClock(), warmUpFile);
    LOG.warn("Files are in a SIMULATION of a slow store, {}", profile.describe());
    warmUpFile.ifPresent(file -> LOG.warn("It is not slow as long as {} exists", file));
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(store, new ObjectName(QUERY));
    } catch (JMException e) {
      LOG.warn("What is read is not in JMX", e);
    }
    return store;
  }

  void countRead(int bytes) {
    readBytes.add(bytes);
    if (Thread.currentThread().getName().startsWith(HANDLERS)) {
      readsOfClients.increment();
    }
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
   * Returns whether the file exists, as up to 50 ms ago; never again true after false. A run fills
   * its caches quickly, and then deletes the file.
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

  /** Takes a transfer in that comes after another one, and returns when it is done. */
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

  Stream newStream() {
    return new Stream();
  }

  /**
   * A stream of bytes at the speed of the store. It puts waits off that are too short to wake a
   * thread in time, until they add up. Used by one thread.
   */
  final class Stream {

    private static final long WORTH_WAITING_NANOS = 200_000;

    private long readyAtNanos = clock.nanoTime();

    /** Moves bytes, of a new request or of the one before. */
    void transfer(long bytes, boolean goesOn) throws InterruptedIOException {
      readyAtNanos = SlowStore.this.transfer(readyAtNanos, bytes, this, goesOn);
      if (readyAtNanos - clock.nanoTime() >= WORTH_WAITING_NANOS) {
        finish();
      }
    }

    /** Waits for all that was moved. */
    void finish() throws InterruptedIOException {
      await(clock.nanoTime(), readyAtNanos);
    }
  }
}
