// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

import dev.terrace.bench.server.HBaseInstall.ClassJar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The latency and the bandwidth of a slow store.
 *
 * @param name its name in settings and reports
 * @param minMillis the shortest time to the first byte of a data request
 * @param maxMillis the longest such time; times are uniform between the two
 * @param metadataMillis the time of a request without data: a lookup, a listing, a rename
 * @param streamBytesPerSecond the bandwidth of one request; 0 is unlimited
 * @param deviceBytesPerSecond the total bandwidth; 0 is unlimited
 * @param oneAtATime whether requests queue for a disk's only head
 */
public record SlowProfile(
    String name,
    int minMillis,
    int maxMillis,
    int metadataMillis,
    long streamBytesPerSecond,
    long deviceBytesPerSecond,
    boolean oneAtATime) {

  static final String SCHEME = "terrace-slow";

  static final String SETTING = "terrace.slow.profile";

  /** The setting that names a file; while it exists, the store is not slow. */
  public static final String WARM_UP_FILE = "terrace.slow.warmup.file";

  /** As slow as the file system below it. */
  public static final SlowProfile NONE = new SlowProfile("none", 0, 0, 0, 0, 0, false);

  /** An object store, seen from a machine in the same data centre. */
  public static final SlowProfile OBJECT_STORE =
      new SlowProfile("object-store", 20, 30, 10, 50_000_000L, 1_250_000_000L, false);

  /** S3, as a server on this machine behind a slow front; some answers come later. */
  public static final SlowProfile S3 =
      new SlowProfile("s3", 10, 30, 10, 50_000_000L, 1_250_000_000L, false);

  /** A rotating disk: one head, which moves for each request. */
  public static final SlowProfile HDD = new SlowProfile("hdd", 8, 8, 0, 0, 150_000_000L, true);

  /** HDFS on flash in another machine. */
  public static final SlowProfile HDFS_NETWORK =
      new SlowProfile("hdfs-network", 1, 1, 1, 0, 1_000_000_000L, false);

  private static final List<SlowProfile> ALL = List.of(OBJECT_STORE, HDD, HDFS_NETWORK, NONE, S3);

  /** Returns the profile of a name; an IllegalArgumentException lists the names. */
  public static SlowProfile named(String name) {
    return ALL.stream()
        .filter(profile -> profile.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    String.format(
                        "'%s' is no profile of a slow store; there are %s",
                        name, ALL.stream().map(SlowProfile::name).toList())));
  }

  /** Returns the numbers in words; a bandwidth of 0 MB/s is unlimited. */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "%s: %d to %d ms to the first byte of a request, %d ms for one without data, %d MB/s a"
            + " stream, %d MB/s in all, %s",
        name,
        minMillis,
        maxMillis,
        metadataMillis,
        streamBytesPerSecond / 1_000_000,
        deviceBytesPerSecond / 1_000_000,
        oneAtATime ? "one request at a time" : "any number of requests at once");
  }

  /** Returns settings of an HBase with its files in such a store; the folder is absolute. */
  public Map<String, String> forHBase(String rootDirectory) {
    return Map.of(
        "hbase.rootdir",
        SCHEME + "://" + rootDirectory,
        "fs." + SCHEME + ".impl",
        SlowFileSystem.class.getName(),
        SETTING,
        name);
  }

  /** Writes the jar for a server's {@code lib/} to an existing folder, and returns it. */
  public static Path writeJar(Path folder) throws IOException {
    return ClassJar.write(
        folder.resolve("terrace-slow-store.jar"),
        List.of(SlowFileSystem.class, SlowProfile.class, SlowStore.class));
  }
}
