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

import java.util.SplittableRandom;

/**
 * The queue of a slow store: when would a request that comes now be done?
 *
 * <p>Requests queue for what they share, in the order of their coming: for the one head of a disk
 * until all of a request is done, or else for the line, which is taken only as long as the bytes
 * need at its full speed. What is left of a request, the time to its first byte and the slower pace
 * of its own stream, passes beside others. It never waits itself. Safe for use by several threads.
 */
final class SlowDevice {

  private static final double NANOS_PER_SECOND = 1e9;
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
   * Takes a request for data in, and returns when it is done.
   *
   * @param reader one that goes on where it stopped needs no new request, unless the one head went
   *     to another reader meanwhile
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

  /** Takes a request in that moves no data, and returns when it is done. */
  long metadata(long nowNanos) {
    return nowNanos + profile.metadata().toNanos();
  }

  private long latencyNanos() {
    long least = profile.least().toNanos();
    long most = profile.most().toNanos();
    return least == most ? least : random.nextLong(least, most + 1);
  }

  private static long transferNanos(long bytes, long bytesPerSecond) {
    return bytesPerSecond == 0 ? 0 : (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
  }
}
