// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.files;

import dev.terrace.api.CacheFile;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.region.format.RegionTable;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * How a tier treats the blocks of a file.
 *
 * @param storable whether a file's blocks may be on the devices; called at each put, by its thread
 * @param encrypted whether a file's blocks must be encrypted there, which requires devices with
 *     data keys; called at each put of a storable file
 * @param origins the origins of files, kept across restarts
 * @param leaving the blocks that a put refuses, and that a reclaim does not rewrite
 */
public record FileRules(
    Predicate<CacheFile> storable,
    Predicate<CacheFile> encrypted,
    FileOrigins origins,
    ExpiringBlocks leaving) {

  /** All files are storable and unencrypted, and have no origin; no block is leaving. */
  public static final FileRules NONE =
      new FileRules(file -> true, file -> false, FileOrigins.NONE, ExpiringBlocks.NONE);

  /** The same, with a rule for which files' blocks may be stored on the devices. */
  public FileRules withStorable(Predicate<CacheFile> files) {
    return new FileRules(files, encrypted, origins, leaving);
  }

  /** The same, with a rule for which files' blocks are encrypted. */
  public FileRules withEncrypted(Predicate<CacheFile> files) {
    return new FileRules(storable, files, origins, leaving);
  }

  /** The same, with these origins of files. */
  public FileRules withOrigins(FileOrigins fileOrigins) {
    return new FileRules(storable, encrypted, fileOrigins, leaving);
  }

  /** The same, with these leaving blocks. */
  public FileRules withLeaving(ExpiringBlocks blocks) {
    return new FileRules(storable, encrypted, origins, blocks);
  }

  /**
   * The same, but safe to call: failures of the application are logged, not thrown, and overlong
   * origins are dropped. After a failure the answer is the safe one: a file's blocks may not be
   * stored, or only encrypted.
   */
  public FileRules guarded(LongSupplier nanoTime) {
    RateLimitedLog warnings =
        new RateLimitedLog(LoggerFactory.getLogger(FileRules.class), nanoTime);
    return new FileRules(
        file -> answer(warnings, file, () -> storable.test(file), false),
        file -> answer(warnings, file, () -> encrypted.test(file), true),
        new FileOrigins() {
          @Override
          public String originOf(CacheFile file) {
            return answer(warnings, file, () -> fitting(origins.originOf(file)), "");
          }

          @Override
          public void recovered(CacheFile file, String origin) {
            try {
              origins.recovered(file, origin);
            } catch (RuntimeException | Error e) {
              warn(warnings, file, e);
            }
          }
        },
        (file, offset) -> answer(warnings, file, () -> leaving.isLeaving(file, offset), false));
  }

  private static <T> T answer(
      RateLimitedLog warnings, CacheFile file, Supplier<T> question, T otherwise) {
    try {
      return question.get();
    } catch (RuntimeException | Error e) {
      warn(warnings, file, e);
      return otherwise;
    }
  }

  private static void warn(RateLimitedLog warnings, CacheFile file, Throwable failure) {
    warnings.warn(
        "Unknown table, age or encryption of a file; it may not be cached below DRAM: " + file,
        failure);
  }

  private static String fitting(String origin) {
    return origin.getBytes(StandardCharsets.UTF_8).length > FileOrigins.MAX_ORIGIN_BYTES
        ? ""
        : origin;
  }

  /** Knows blocks that are not worth writing, because they will not be read here. Thread-safe. */
  @FunctionalInterface
  public interface ExpiringBlocks {

    ExpiringBlocks NONE = (file, offset) -> false;

    /** Whether a block is neither stored nor rewritten. Fast; never throws. */
    boolean isLeaving(CacheFile file, long offset);
  }

  /**
   * The origin of each file: any text of the embedding application; for HBase, the region and its
   * table. The tier stores it with the file's name, and hands it back after a restart.
   *
   * <p>The devices' workers call both methods, several at once. If a call throws, that file's
   * origin is lost, and a warning is logged.
   */
  public interface FileOrigins {

    /** Maximum length of an origin, in UTF-8 bytes; a longer one is dropped. */
    int MAX_ORIGIN_BYTES = RegionTable.MAX_ORIGIN_BYTES;

    FileOrigins NONE = new FileOrigins() {};

    /**
     * The origin of a file. Called for each file of a region before the region is written. An
     * origin of more than 128 bytes of UTF-8 is left out if the region has no room for it.
     *
     * @return any text of at most {@link #MAX_ORIGIN_BYTES} bytes; empty if it is unknown
     */
    default String originOf(CacheFile file) {
      return "";
    }

    /**
     * Called with the origin of a file whose blocks were recovered, once for each region that holds
     * some. Lookups may find the blocks a moment earlier.
     */
    default void recovered(CacheFile file, String origin) {}
  }
}
