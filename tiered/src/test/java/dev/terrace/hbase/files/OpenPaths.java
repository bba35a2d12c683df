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
package dev.terrace.hbase.files;

import dev.terrace.hbase.files.OpenStoreFile.Stage;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;

/** Open store files, by their paths. */
public final class OpenPaths {

  private OpenPaths() {}

  /** Files that are known by the paths of the open ones; each question walks. */
  public static KnownFiles known(Supplier<Stream<Path>> paths) {
    return new KnownFiles(() -> paths.get().map(OpenPaths::region), () -> 0L);
  }

  /** The fates of files that no store calls cold; evicts none. */
  public static FileFates fates(KnownFiles known) {
    return new FileFates(known, Set::of, file -> {}, System::nanoTime);
  }

  private static OnlineRegion region(Path path) {
    return new OnlineRegion(KeyRegions.of(path), true, false, List.of(file(path, Stage.OPEN)));
  }

  static OpenStoreFile file(Path path, Stage stage) {
    String family = path.getParent().getName();
    Owner owner = new Owner(KeyRegions.of(path), KeyRegions.table(path), family);
    return new OpenStoreFile(path.getName(), owner, stage, null);
  }
}
