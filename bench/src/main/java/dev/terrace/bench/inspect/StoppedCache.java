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
package dev.terrace.bench.inspect;

import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.CachePathException;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.folder.UnreadableCacheException;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;

/** Opens what a command looks at, or says in one line why that is not possible. */
final class StoppedCache {

  /** The exit value when something is damaged. */
  static final int DAMAGED = 1;

  /** The exit value when there is nothing to look at, or it is in use. */
  static final int REFUSED = 2;

  /** Looks into a cache. */
  @FunctionalInterface
  interface Look {
    /** Returns the exit value. */
    int into(ReadOnlyDevice cache);
  }

  private StoppedCache() {}

  /** Opens the cache for a look, and returns the exit value. */
  static int open(CommandSpec spec, Path path, Look look) {
    try (ReadOnlyDevice cache = CacheFolder.openReadOnly(path)) {
      return look.into(cache);
    } catch (UnreadableCacheException e) {
      return complain(spec, e.getMessage(), DAMAGED);
    } catch (CachePathException e) {
      return complain(spec, e.getMessage(), REFUSED);
    } catch (IOException e) {
      return complain(spec, "path=" + path + " cannot be read: " + e, REFUSED);
    }
  }

  private static int complain(CommandSpec spec, String message, int exitValue) {
    spec.commandLine().getErr().println(spec.qualifiedName() + ": " + message);
    return exitValue;
  }
}
