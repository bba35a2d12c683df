// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.region.folder.CachePathException;
import dev.terrace.region.folder.CachePathException.UnreadableCacheException;
import dev.terrace.region.folder.ReadOnlyDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Model.CommandSpec;

/** Opens the cache that a command reads, or prints in one line why that failed. */
final class StoppedCache {

  /** Exit value if something is damaged. */
  static final int DAMAGED = 1;

  /** Exit value if there is no cache, it may not be read, or it is in use. */
  static final int REFUSED = 2;

  /** Exit value if another version of Terrace wrote the cache. */
  static final int OTHER_FORMAT = 3;

  private StoppedCache() {}

  /** Opens a cache, has it looked into, and returns the exit value, which that returns. */
  static int open(CommandSpec spec, Path path, ToIntFunction<ReadOnlyDevice> look) {
    try (ReadOnlyDevice cache = ReadOnlyDevice.open(path)) {
      return look.applyAsInt(cache);
    } catch (UnreadableCacheException e) {
      return complain(spec, e.getMessage(), e.isOfOtherFormat() ? OTHER_FORMAT : DAMAGED);
    } catch (CachePathException e) {
      return complain(spec, e.getMessage(), REFUSED);
    } catch (IOException e) {
      return complain(spec, "path=" + path + " cannot be read: " + e, REFUSED);
    }
  }

  /** Prints a line of a command that failed. */
  static int complain(CommandSpec spec, String message, int exitValue) {
    spec.commandLine().getErr().println(spec.qualifiedName() + ": " + message);
    return exitValue;
  }
}
