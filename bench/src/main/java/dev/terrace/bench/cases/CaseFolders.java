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
package dev.terrace.bench.cases;

import dev.terrace.bench.hbase.FileTree;
import dev.terrace.bench.macro.CachePlaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The new folders of one run: for servers and data, for PMem tiers, and for SSD tiers. */
final class CaseFolders {

  private static final String PREFIX = "terrace-cases-";

  private final Path work;
  private final Path pmem;
  private final Path ssd;

  private CaseFolders(Path work, Path pmem, Path ssd) {
    this.work = work;
    this.pmem = pmem;
    this.ssd = ssd;
  }

  /**
   * Creates the folders, one in each of these directories.
   *
   * @throws CaseFailure if one cannot be created
   */
  static CaseFolders create(Path workParent, Path pmemParent, Path ssdParent) throws CaseFailure {
    Path newest = workParent;
    try {
      Files.createDirectories(workParent);
      Path work = Files.createTempDirectory(workParent.toRealPath(), PREFIX);
      newest = pmemParent;
      Path pmem = Files.createTempDirectory(pmemParent, PREFIX);
      newest = ssdParent;
      return new CaseFolders(work, pmem, Files.createTempDirectory(ssdParent, PREFIX));
    } catch (IOException e) {
      throw new CaseFailure("cannot create a folder in " + newest + " (" + e + ")", e);
    }
  }

  Path work() {
    return work;
  }

  Path clientLog() {
    return work.resolve("client.log");
  }

  /** Returns where the table was loaded. */
  Path loaded() {
    return work.resolve("loaded");
  }

  Path server(String name) {
    return work.resolve(name);
  }

  Path data(String name) {
    return server(name).resolve("data");
  }

  /** Returns the file that keeps a server's store quick while it exists. */
  Path warmUpFile(String name) {
    return server(name).resolve("warm-up");
  }

  CachePlaces places(String name) {
    return new CachePlaces(pmem.resolve(name), ssd.resolve(name));
  }

  /** Deletes data and caches of one server; configuration and log stay. */
  void deleteServer(String name) throws IOException {
    FileTree.delete(data(name));
    FileTree.delete(places(name).pmem());
    FileTree.delete(places(name).ssd());
  }

  /** Deletes everything. */
  void deleteAll() throws IOException {
    deleteCachesAndTable();
    FileTree.delete(work);
  }

  /** Deletes the caches and the table as it was loaded. */
  void deleteCachesAndTable() throws IOException {
    FileTree.delete(pmem);
    FileTree.delete(ssd);
    FileTree.delete(loaded());
  }
}
