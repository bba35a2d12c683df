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
package dev.terrace.bench.fire.disk;

import dev.terrace.bench.cli.ByteSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The disks of a cluster's caches, or the reason why they are plain folders. */
public final class Disks {

  private final Map<Path, LoopDisk> byFolder = new LinkedHashMap<>();
  private String whyNone = "";

  /** Gives a folder a disk of its own, unless that failed for another one. */
  public synchronized void add(Path folder, ByteSize cache) {
    if (!whyNone.isEmpty()) {
      return;
    }
    try {
      byFolder.put(folder, LoopDisk.mount(folder, cache));
    } catch (IOException e) {
      whyNone = String.valueOf(e.getMessage());
    }
  }

  /** Returns the disks of these folders, as far as they have some. */
  public synchronized List<LoopDisk> of(List<Path> folders) {
    return folders.stream().filter(byFolder::containsKey).map(byFolder::get).toList();
  }

  public synchronized boolean isEmpty() {
    return byFolder.isEmpty();
  }

  /** Returns why folders have no disk of their own; empty if they have one. */
  public synchronized String whyNone() {
    return whyNone;
  }

  /** Ends what was done to any of them, so that their users can end. */
  public void mend() {
    forEach(LoopDisk::mend);
  }

  /** Unmounts and deletes all of them. */
  public synchronized void remove() {
    forEach(LoopDisk::remove);
    byFolder.clear();
  }

  private synchronized void forEach(Work work) {
    for (LoopDisk disk : byFolder.values()) {
      try {
        work.on(disk);
      } catch (IOException e) {
        System.err.println("terrace fire: " + e.getMessage());
      }
    }
  }

  /** Something to do to each disk. */
  @FunctionalInterface
  private interface Work {

    void on(LoopDisk disk) throws IOException;
  }
}
