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
  private final List<Path> pmem;
  private final List<Path> ssd;

  private RunFolders(Path work, List<Path> pmem, List<Path> ssd) {
    this.work = work;
    this.pmem = List.copyOf(pmem);
    this.ssd = List.copyOf(ssd);
  }

  /**
   * Creates the folders, one in each of these places.
   *
   * @param prefix how their names begin
   * @throws RunFailure if one cannot be created
   */
  public static RunFolders create(String prefix, RunPlaces.Parents parents) throws RunFailure {
    return create(prefix, parents.work(), List.of(parents.pmem()), List.of(parents.ssd()));
  }

  /** The same with any number of places for tiers. */
  public static RunFolders create(
      String prefix, Path workParent, List<Path> pmemParents, List<Path> ssdParents)
      throws RunFailure {
    List<Path> parents = new ArrayList<>(List.of(workParent));
    parents.addAll(pmemParents);
    parents.addAll(ssdParents);
    List<Path> made = new ArrayList<>();
    try {
      Files.createDirectories(workParent);
      for (Path parent : parents) {
        made.add(Files.createTempDirectory(parent.toRealPath(), prefix));
      }
    } catch (IOException e) {
      Path failed = parents.get(made.size());
      RunFailure failure =
          new RunFailure("cannot create a folder in " + failed + " (" + e + "); name another", e);
      for (Path folder : made) {
        deleteBecauseOf(failure, folder);
      }
      throw failure;
    }
    int firstSsd = 1 + pmemParents.size();
    return new RunFolders(
        made.get(0), made.subList(1, firstSsd), made.subList(firstSsd, made.size()));
  }

  private static void deleteBecauseOf(RunFailure failure, Path folder) {
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

  /** Returns the folders of PMem tiers. */
  public List<Path> pmem() {
    return pmem;
  }

  /** Returns the folders of SSD tiers. */
  public List<Path> ssd() {
    return ssd;
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
    return new CachePlaces(pmem.get(0).resolve(name), ssd.get(0).resolve(name));
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
    for (Path folder : pmem) {
      FileTree.delete(folder);
    }
    for (Path folder : ssd) {
      FileTree.delete(folder);
    }
  }
}
