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
package dev.terrace.bench.hbase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Copies the data directory of an HBase that was stopped, so that several servers begin with the
 * same tables.
 *
 * <p>HFiles are linked where the file system can: HBase writes them once and then only reads or
 * deletes them, so that nothing is lost, and the system's page cache holds them once for all
 * servers, in the same state for each. Everything else is copied.
 */
public final class DataCopy {

  /** An HFile as HBase names it, or the checksum that Hadoop's local file system keeps of it. */
  private static final Pattern HFILE = Pattern.compile("[0-9a-f]{32}|\\.[0-9a-f]{32}\\.crc");

  private DataCopy() {}

  /**
   * Copies a directory.
   *
   * @param from a data directory that no server uses
   * @param to where; must not exist
   * @throws IOException if something cannot be copied
   */
  public static void make(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (HFILE.matcher(file.getFileName().toString()).matches()) {
          link(file, target);
        } else {
          Files.copy(file, target);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void link(Path file, Path target) throws IOException {
    try {
      Files.createLink(target, file);
    } catch (UnsupportedOperationException e) {
      Files.copy(file, target);
    }
  }
}
