// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The operating system's page cache. */
public final class PageCache {

  private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");
  private static final String PAGES = "1";

  private PageCache() {}

  /** Whether this system can drop it, and the user may. */
  public static boolean canBeDropped() {
    return Files.isWritable(DROP_CACHES);
  }

  public static void drop() throws IOException {
    Files.writeString(DROP_CACHES, PAGES);
  }

  /** Whether files of a directory lie in memory, and not on a disk. */
  public static boolean isMemory(Path directory) throws IOException {
    return Files.getFileStore(directory).type().equals("tmpfs");
  }
}
