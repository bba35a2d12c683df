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
package dev.terrace.bench.fire.disk;

import dev.terrace.bench.server.PageCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes all reads from a block device wait until they are let go: the kernel's limit of reads for
 * everybody (cgroup v1) is set to a byte a second. What the page cache has is dropped first, of all
 * disks.
 */
final class HeldReads {

  private static final Path LIMIT = Path.of("/sys/fs/cgroup/blkio/blkio.throttle.read_bps_device");
  private static final int NO_LIMIT = 0;

  private HeldReads() {}

  /** Whether this system can do it, and the user may. */
  static boolean arePossible() {
    return Files.isWritable(LIMIT) && PageCache.canBeDropped();
  }

  /** Holds the reads of a device such as {@code /dev/loop0}. */
  static void hold(String device) throws IOException {
    limit(device, 1);
    PageCache.drop();
  }

  /** Lets them go on. */
  static void release(String device) throws IOException {
    limit(device, NO_LIMIT);
  }

  private static void limit(String device, int bytesPerSecond) throws IOException {
    Path numbers = Path.of("/sys/block", Path.of(device).getFileName().toString(), "dev");
    Files.writeString(LIMIT, Files.readString(numbers).strip() + " " + bytesPerSecond);
  }
}
