// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.files;

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
 * @param storable whether a file's blocks may lie on the devices; asked at each put, by its thread
 * @param encrypted whether a file's blocks lie there encrypted, for which the devices must have
 *     data keys; asked at each put that is storable
 * @param origins the origins of files, kept over a restart
 * @param leaving the blocks that a reclaim does not write anew
 */
public record FileRules(
    Predicate<String> storable,
    Predicate<String> encrypted,
    FileOrigins origins,
    LeavingBlocks leaving) {

  /** All files are storable, in clear, have no origin, and stay. */
  public static final FileRules NONE =
      new FileRules(file -> true, file -> false, FileOrigins.NONE, LeavingBlocks.NONE);

  /** The same, with a choice of the files whose blocks may lie on the devices. */
  public FileRules withStorable(Predicate<String> files) {
    return new FileRules(files, encrypted, origins, leaving);
  }

  /** The same, with a choice of the files whose blocks are encrypted. */
  public FileRules withEncrypted(Predicate<String> files) {
    return new FileRules(storable, files, origins, leaving);
  }

  /** The same, with origins of the files. */
  public FileRules withOrigins(FileOrigins fileOrigins) {
    return new FileRules(storable, encrypted, fileOrigins, leaving);
  }

  /** The same, with blocks that a reclaim does not write anew. */
  public FileRules withLeaving(LeavingBlocks blocks) {
    return new FileRules(storable, encrypted, origins, blocks);
  }

  /**
   * The same, with failures of the application and overlong answers kept from the caller, and told
   * to the log. What is not known of a file is the safe answer: it may not lie on a device, or
   * encrypted only.
   */
  public FileRules guarded(LongSupplier nanoTime) {
    RateLimitedLog warnings =
        new RateLimitedLog(LoggerFactory.getLogger(FileRules.class), nanoTime);
    return new FileRules(
        file -> answer(warnings, file, () -> storable.test(file), false),
        file -> answer(warnings, file, () -> encrypted.test(file), true),
        new FileOrigins() {
          @Override
          public String originOf(String file) {
            return answer(warnings, file, () -> fitting(origins.originOf(file)), "");
          }

          @Override
          public void recovered(String file, String origin) {
            boolean unused =
                answer(
                    warnings,
                    file,
                    () -> {
                      origins.recovered(file, origin);
                      return true;
                    },
                    false);
          }
        },
        (file, offset) -> answer(warnings, file, () -> leaving.isLeaving(file, offset), false));
  }

  private static <T> T answer(
      RateLimitedLog warnings, String file, Supplier<T> question, T otherwise) {
    try {
      return question.get();
    } catch (RuntimeException | Error e) {
      warnings.warn("Not known how to treat this file: " + file, e);
      return otherwise;
    }
  }

  private static String fitting(String origin) {
    return origin.getBytes(StandardCharsets.UTF_8).length > FileOrigins.MAX_ORIGIN_BYTES
        ? ""
        : origin;
  }

  /** Knows blocks that are not worth a write, as nobody will read them here. Thread-safe. */
  @FunctionalInterface
  public interface LeavingBlocks {

    LeavingBlocks NONE = (file, offset) -> false;

    /** Whether a block is neither stored nor written anew. Quick; never throws. */
    boolean isLeaving(String file, long offset);
  }

  /**
   * The origin of each file, a text of the embedding application; for HBase the region and its
   * table. The tier keeps it beside the file's name, and returns it after a restart.
   *
   * <p>The devices' workers call both methods, several at once. An exception costs the origin of
   * that file, and a line in the log.
   */
  public interface FileOrigins {

    /** Most bytes of an origin in UTF-8; a longer one is not kept. */
    int MAX_ORIGIN_BYTES = RegionTable.MAX_ORIGIN_BYTES;

    FileOrigins NONE = new FileOrigins() {};

    /**
     * The origin of a file. Called for each file of a region before the region is written. An
     * origin of more than 128 bytes of UTF-8 is left out if the region has no room for it.
     *
     * @return any text of at most {@link #MAX_ORIGIN_BYTES} bytes; empty if it is unknown
     */
    default String originOf(String file) {
      return "";
    }

    /**
     * Called with the origin of a file whose blocks came back: once for each region with blocks of
     * it. Lookups may find the blocks a moment before.
     */
    default void recovered(String file, String origin) {}
  }
}
