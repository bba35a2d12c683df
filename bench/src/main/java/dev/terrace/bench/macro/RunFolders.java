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
package dev.terrace.bench.macro;

import dev.terrace.bench.hbase.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The new folders of one macro run: for servers and data, for PMem tiers, and for SSD tiers. */
final class RunFolders {

  private static final String PREFIX = "terrace-macro-";

  private final Path work;
  private final Path pmem;
  private final Path ssd;

  private RunFolders(Path work, Path pmem, Path ssd) {
    this.work = work;
    this.pmem = pmem;
    this.ssd = ssd;
  }

  /**
   * Creates the folders, one in each of these directories.
   *
   * @throws MacroFailure if one cannot be created
   */
  static RunFolders create(Path workParent, Path pmemParent, Path ssdParent) throws MacroFailure {
    List<Path> made = new ArrayList<>();
    Path newest = workParent;
    try {
      Files.createDirectories(workParent);
      for (Path parent : List.of(workParent, pmemParent, ssdParent)) {
        newest = parent;
        made.add(Files.createTempDirectory(parent.toRealPath(), PREFIX));
      }
      return new RunFolders(made.get(0), made.get(1), made.get(2));
    } catch (IOException e) {
      MacroFailure failure =
          new MacroFailure("cannot create a folder in " + newest + " (" + e + ")", e);
      for (Path folder : made) {
        deleteBecauseOf(failure, folder);
      }
      throw failure;
    }
  }

  private static void deleteBecauseOf(MacroFailure failure, Path folder) {
    try {
      FileTree.delete(folder);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Returns the folder of data and servers. */
  Path work() {
    return work;
  }

  /** Returns the folder where the tables were loaded. */
  Path loaded() {
    return work.resolve("loaded");
  }

  /** Returns the file of what HBase's client logs. */
  Path clientLog() {
    return work.resolve("client.log");
  }

  /** Returns the folder of a configuration's server. */
  Path server(Configuration configuration) {
    return work.resolve(configuration.id());
  }

  /** Returns the data directory of a configuration's server. */
  Path data(Configuration configuration) {
    return server(configuration).resolve("data");
  }

  /** Returns the places of a configuration's caches. */
  CachePlaces places(Configuration configuration) {
    return new CachePlaces(pmem.resolve(configuration.id()), ssd.resolve(configuration.id()));
  }

  /** Deletes everything. */
  void deleteAll() throws IOException {
    deleteCaches();
    FileTree.delete(work);
  }

  /** Deletes everything but the servers' configurations and the logs. */
  void deleteData() throws IOException {
    deleteCaches();
    FileTree.delete(loaded());
    for (Configuration configuration : Configuration.values()) {
      FileTree.delete(data(configuration));
    }
  }

  private void deleteCaches() throws IOException {
    FileTree.delete(pmem);
    FileTree.delete(ssd);
  }
}
