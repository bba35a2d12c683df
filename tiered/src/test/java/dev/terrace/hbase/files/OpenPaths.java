// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static dev.terrace.api.TestFiles.FILES;

import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;

/** Open store files, by their paths. */
public final class OpenPaths {

  private OpenPaths() {}

  /** Files that are known by the paths of the open ones; each question walks. */
  public static FileCatalog known(Supplier<Stream<Path>> paths) {
    return new FileCatalog(FILES, () -> paths.get().map(OpenPaths::region), () -> 0L);
  }

  private static OnlineRegion region(Path path) {
    return new OnlineRegion(Owner.of(path).region(), true, List.of(file(path, Stage.OPEN)));
  }

  static OpenStoreFile file(Path path, Stage stage) {
    Owner owner = Owner.of(path);
    return new OpenStoreFile(path.getName(), owner, stage, null);
  }
}
