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
import java.util.stream.Stream;

/** The new folders of one run: for servers and data, for PMem tiers, and for SSD tiers. */
public final class RunFolders {

  private static final String DATA = "data";
  private static final String LOADED = "loaded";

  private final Path work;
  private final Path pmem;
  private final Path ssd;

  private RunFolders(Path work, Path pmem, Path ssd) {
    this.work = work;
    this.pmem = pmem;
    this.ssd = ssd;
  }

  /**
   * Creates the folders, one in each of these places.
   *
   * @param prefix how their names begin
   * @throws IOException in words for the user, if one cannot be created
   */
  public static RunFolders create(String prefix, RunPlaces.Parents parents) throws IOException {
    List<Path> made = new ArrayList<>();
    Path newest = parents.work();
    try {
      Files.createDirectories(parents.work());
      for (Path parent : List.of(parents.work(), parents.pmem(), parents.ssd())) {
        newest = parent;
        made.add(Files.createTempDirectory(parent.toRealPath(), prefix));
      }
      return new RunFolders(made.get(0), made.get(1), made.get(2));
    } catch (IOException e) {
      IOException failure = new IOException("cannot create a folder in " + newest + " (" + e + ")");
      failure.initCause(e);
      for (Path folder : made) {
        deleteBecauseOf(failure, folder);
      }
      throw failure;
    }
  }

  private static void deleteBecauseOf(IOException failure, Path folder) {
    try {
      FileTree.delete(folder);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Returns the folder of data and servers. */
  public Path work() {
    return work;
  }

  /** Returns the folder of the server that loaded the tables. */
  public Path loaded() {
    return server(LOADED);
  }

  /** Returns the data directory in which the tables were loaded. */
  public Path loadedData() {
    return data(LOADED);
  }

  /** Returns the places of the caches of the server that loads the tables. */
  public CachePlaces loadedPlaces() {
    return places(LOADED);
  }

  /** Returns the file of what HBase's client logs. */
  public Path clientLog() {
    return work.resolve("client.log");
  }

  /** Returns the folder of a server. */
  public Path server(String name) {
    return work.resolve(name);
  }

  /** Returns the data directory of a server. */
  public Path data(String name) {
    return server(name).resolve(DATA);
  }

  /** Returns the places of a server's caches. */
  public CachePlaces places(String name) {
    return new CachePlaces(pmem.resolve(name), ssd.resolve(name));
  }

  /** Deletes data and caches of one server; configuration and log stay. */
  public void deleteServer(String name) throws IOException {
    FileTree.delete(data(name));
    FileTree.delete(places(name).pmem());
    FileTree.delete(places(name).ssd());
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
    List<Path> servers;
    try (Stream<Path> all = Files.list(work)) {
      servers = all.toList();
    }
    for (Path server : servers) {
      FileTree.delete(server.resolve(DATA));
    }
  }

  private void deleteCaches() throws IOException {
    FileTree.delete(pmem);
    FileTree.delete(ssd);
  }
}
