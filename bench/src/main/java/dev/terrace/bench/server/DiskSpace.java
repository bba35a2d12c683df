// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The disks of a run, and the page cache over them. */
public final class DiskSpace {

  private static final long NEARLY_NOTHING_BYTES = 64L << 20;

  private DiskSpace() {}

  public static boolean isMemory(Path directory) throws IOException {
    return Files.getFileStore(directory).type().equals("tmpfs");
  }

  /**
   * Returns that the disk of a run is full, or nearly so, with what to do; nothing if it is not.
   */
  static Optional<String> full(Path work) {
    return Files.exists(work) && work.toFile().getUsableSpace() < NEARLY_NOTHING_BYTES
        ? Optional.of(
            String.format(
                "the disk of %s is full, or nearly; free some space, use --dir DIRECTORY on another"
                    + " disk, or fewer --rows",
                work))
        : Optional.empty();
  }

  /** The system's cache of files. */
  public static final class PageCache {

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
  }
}
