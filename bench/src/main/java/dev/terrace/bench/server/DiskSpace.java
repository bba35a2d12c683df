// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The space that a run needs, disk by disk, held against what is free. */
public final class DiskSpace {

  private static final long NEARLY_NOTHING_BYTES = 64L << 20;

  /** Memory of an HBase server beyond its heap and its cache. */
  private static final ByteSize SERVER_OVERHEAD = ByteSize.ofMebibytes(300);

  private final Map<FileStore, Long> neededBytes = new HashMap<>();

  /** Creates the directory, and throws with advice if its disk lacks room for all needs so far. */
  public void require(Path directory, ByteSize more, String advice) throws RunFailure {
    ByteSize needed;
    ByteSize free;
    try {
      Files.createDirectories(directory);
      FileStore store = Files.getFileStore(directory);
      needed = new ByteSize(neededBytes.merge(store, more.bytes(), Long::sum));
      free = new ByteSize(store.getUsableSpace());
    } catch (IOException e) {
      throw new RunFailure("cannot use " + directory + " (" + e + "); " + advice, e);
    }
    if (free.bytes() < needed.bytes()) {
      throw new RunFailure(
          String.format(
              "not enough space in %s: %s free, about %s needed; free some, %s",
              directory, free, needed, advice));
    }
  }

  /**
   * Throws with advice unless this memory has room for so many servers with heaps and caches of
   * these sizes, and for more.
   */
  public static void requireMemory(
      ByteSize available, int servers, CacheSizes sizes, long moreBytes, String advice)
      throws RunFailure {
    long each = sizes.heapAndDram().bytes() + SERVER_OVERHEAD.bytes();
    ByteSize needed = new ByteSize(servers * each + moreBytes);
    if (available.bytes() < needed.bytes()) {
      throw new RunFailure(
          String.format(
              "not enough memory: %d servers side by side need about %s, %s are available; stop"
                  + " other programs, or %s",
              servers, needed, available, advice));
    }
  }

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

  /** Returns the memory that programs can have without swapping, as far as the system tells it. */
  public static ByteSize availableMemory() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .map(line -> ByteSize.parse(line.replaceAll("\\D", "") + "k"))
          .findFirst()
          .orElse(new ByteSize(Long.MAX_VALUE));
    } catch (IOException e) {
      return new ByteSize(Long.MAX_VALUE);
    }
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

    /** Drops what has been written to disk, of all files. */
    public static void drop() throws IOException {
      Files.writeString(DROP_CACHES, PAGES);
    }
  }
}
