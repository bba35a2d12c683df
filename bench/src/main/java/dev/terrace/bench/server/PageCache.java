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
package dev.terrace.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The system's cache of files. */
public final class PageCache {

  private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");
  private static final String PAGES = "1";

  private PageCache() {}

  /** Whether this system can drop it, and the user may. */
  public static boolean canBeDropped() {
    return Files.isWritable(DROP_CACHES);
  }

  /** Returns why it cannot be dropped; nothing if it can. */
  public static Optional<String> whyNotDropped() {
    return canBeDropped() ? Optional.empty() : Optional.of("this user cannot drop the page cache");
  }

  /** Drops what has been written to disk, of all files. */
  public static void drop() throws IOException {
    Files.writeString(DROP_CACHES, PAGES);
  }
}
