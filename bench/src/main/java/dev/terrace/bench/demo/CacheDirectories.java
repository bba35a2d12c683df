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
package dev.terrace.bench.demo;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.hbase.FileTree;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** New folders for the tiers on PMem and SSD, one in each directory that was named. */
final class CacheDirectories {

  private static final String PREFIX = "terrace-demo-";

  private final List<Path> pmem = new ArrayList<>();
  private final List<Path> ssd = new ArrayList<>();

  private CacheDirectories() {}

  /**
   * Creates the folders.
   *
   * @throws DemoFailure if one cannot be created, or has not enough space
   */
  static CacheDirectories create(DemoOptions options) throws DemoFailure {
    Map<FileStore, Long> neededBytes = new HashMap<>();
    for (CachePlace place :
        Stream.concat(options.pmem().stream(), options.ssd().stream()).toList()) {
      requireSpace(place, neededBytes);
    }
    CacheDirectories directories = new CacheDirectories();
    try {
      directories.createAll(options);
      return directories;
    } catch (IOException e) {
      throw directories.failure(e);
    }
  }

  private void createAll(DemoOptions options) throws IOException {
    for (CachePlace place : options.pmem()) {
      pmem.add(Files.createTempDirectory(place.directory(), PREFIX));
    }
    for (CachePlace place : options.ssd()) {
      ssd.add(Files.createTempDirectory(place.directory(), PREFIX));
    }
  }

  private DemoFailure failure(IOException cause) {
    DemoFailure failure =
        new DemoFailure("cannot create a folder for a tier (" + cause + "); name another", cause);
    deleteBecauseOf(failure);
    return failure;
  }

  /** Deletes the folders because something else failed, which is what the user is told. */
  void deleteBecauseOf(DemoFailure failure) {
    try {
      delete();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static void requireSpace(CachePlace place, Map<FileStore, Long> neededBytes)
      throws DemoFailure {
    Path directory = place.directory();
    if (!Files.isDirectory(directory)) {
      throw new DemoFailure(
          directory + " is not a directory; make it, or name another one before the ':'");
    }
    try {
      FileStore store = Files.getFileStore(directory);
      long needed = neededBytes.merge(store, place.size().bytes(), Long::sum);
      if (store.getUsableSpace() < needed) {
        throw new DemoFailure(
            "not enough space in "
                + directory
                + ": "
                + new ByteSize(store.getUsableSpace())
                + " free, "
                + new ByteSize(needed)
                + " needed; free some, name another directory, or a smaller size");
      }
    } catch (IOException e) {
      throw new DemoFailure("cannot look at " + directory + " (" + e + ")", e);
    }
  }

  /** Returns the folders of the PMem tier. */
  List<Path> pmem() {
    return List.copyOf(pmem);
  }

  /** Returns the folders of the SSD tier. */
  List<Path> ssd() {
    return List.copyOf(ssd);
  }

  /** Deletes the folders. */
  void delete() throws IOException {
    for (Path folder : pmem) {
      FileTree.delete(folder);
    }
    for (Path folder : ssd) {
      FileTree.delete(folder);
    }
  }
}
