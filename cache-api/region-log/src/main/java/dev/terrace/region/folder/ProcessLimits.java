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
package dev.terrace.region.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limits that the operating system sets for this process. */
final class ProcessLimits {

  private static final Path LIST = Path.of("/proc/self/limits");

  /** {@code Max file size SOFT HARD bytes}; the soft one holds. */
  private static final Pattern FILE_BYTES = Pattern.compile("Max file size +(\\d+) .*");

  private ProcessLimits() {}

  /**
   * Checks that this process may write a file of a size.
   *
   * @throws CachePathException if its limit is lower
   */
  static void checkFile(Path file, long sizeBytes) throws IOException {
    long mostBytes = fileBytes(Files.isReadable(LIST) ? Files.readAllLines(LIST) : List.of());
    if (sizeBytes > mostBytes) {
      throw new CachePathException(
          file,
          "is to have bytes="
              + sizeBytes
              + ", and the limit for files of this process is bytes="
              + mostBytes,
          "raise that (ulimit -f, LimitFSIZE of a systemd unit), or make the tier smaller, or give"
              + " it more paths");
    }
  }

  /** The largest size of a file; {@link Long#MAX_VALUE} if nothing limits it. */
  static long fileBytes(List<String> limits) {
    for (String line : limits) {
      Matcher matcher = FILE_BYTES.matcher(line);
      if (matcher.matches()) {
        // 2^64 - 1 is listed as a word, and what is between is as good as no limit.
        String digits = matcher.group(1);
        return digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
      }
    }
    return Long.MAX_VALUE;
  }
}
