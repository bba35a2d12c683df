// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Linux control group that limits the memory of its processes together with the page cache that
 * they fill. Needs root. A process must start in it: memory from before it joined would stay
 * charged to its former group.
 */
public final class MemoryGroup implements AutoCloseable {

  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final Path V1_LIMIT_OF_ALL = Path.of("memory/memory.limit_in_bytes");
  private static final long ANY = 64L << 20;

  /** The folder and the file names of each version of control groups. */
  private enum Version {
    V1("memory", "memory.limit_in_bytes", "rss", "cache"),
    V2("", "memory.max", "anon", "file");

    private final String parent;
    private final String limit;
    private final String resident;
    private final String pageCache;

    Version(String parent, String limit, String resident, String pageCache) {
      this.parent = parent;
      this.limit = limit;
      this.resident = resident;
      this.pageCache = pageCache;
    }
  }

  private final Version version;
  private final Path folder;

  private MemoryGroup(Version version, Path folder) {
    this.version = version;
    this.folder = folder;
  }

  /** Returns why groups cannot be created on this system or by this user; empty if they can. */
  public static Optional<String> whyNone() {
    return whyNone(ROOT);
  }

  static Optional<String> whyNone(Path root) {
    try (MemoryGroup any = create(root, ANY)) {
      any.use();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Creates a group without processes. */
  static MemoryGroup create(long limit) throws IOException {
    return create(ROOT, limit);
  }

  private static MemoryGroup create(Path root, long limit) throws IOException {
    Version version = Files.exists(root.resolve(V1_LIMIT_OF_ALL)) ? Version.V1 : Version.V2;
    Path parent = root.resolve(version.parent);
    MemoryGroup group = null;
    try {
      group = new MemoryGroup(version, Files.createTempDirectory(parent, "terrace-bench-"));
      // Never creates the file: the kernel has made it only where it controls memory.
      Files.writeString(
          group.folder.resolve(version.limit), Long.toString(limit), StandardOpenOption.WRITE);
      return group;
    } catch (IOException e) {
      if (group != null) {
        group.close();
      }
      throw new IOException("no control group for memory can be made in " + parent + ": " + e, e);
    }
  }

  /** Returns a prefix for a command, which starts it in the group as the same process. */
  Stream<String> starting() {
    Path processes = folder.resolve("cgroup.procs");
    return Stream.of("sh", "-c", "echo $$ > \"$0\" && exec \"$@\"", processes.toString());
  }

  /** Returns what its processes use now, and the page cache that they have filled. */
  Use use() throws IOException {
    long resident = 0;
    long pageCache = 0;
    for (String line : Files.readAllLines(folder.resolve("memory.stat"))) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(version.resident)) {
        resident = Long.parseLong(words[1]);
      } else if (words[0].equals(version.pageCache)) {
        pageCache = Long.parseLong(words[1]);
      }
    }
    return new Use(resident, pageCache);
  }

  /** Removes it once its processes have ended; may be called twice. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(folder);
  }

  public record Use(long residentBytes, long pageCacheBytes) {}
}
