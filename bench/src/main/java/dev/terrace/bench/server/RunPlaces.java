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
package dev.terrace.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of a command that runs servers: where things lie, and whether they stay there. */
public final class RunPlaces {

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @Option(
      names = "--pmem",
      paramLabel = "DIR",
      description = "where PMem tiers lie (default: /dev/shm when it has room, else as --ssd)")
  private Path pmem;

  @Option(
      names = "--ssd",
      paramLabel = "DIR",
      description = "where SSD tiers and BucketCache's files lie (default: as --dir)")
  private Path ssd;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "where data and logs lie while it runs (default: bench/target)")
  private Path directory;

  @Option(names = "--keep", description = "leave data and logs where they are")
  private boolean keep;

  /** Directories of the user's, in which a run makes its own. */
  public record Parents(Path work, Path pmem, Path ssd) {

    /** Creates the folders of a run in them. */
    public RunFolders createFolders(String prefix) throws RunFailure {
      return RunFolders.create(prefix, work, List.of(pmem), List.of(ssd));
    }
  }

  /** Returns whether all that was written stays. */
  public boolean keep() {
    return keep;
  }

  /**
   * Returns what was chosen, or else the defaults.
   *
   * @param pmemBytes what PMem tiers need in all
   * @throws RunFailure if the defaults cannot be found out
   */
  public Parents parents(long pmemBytes) throws RunFailure {
    Path work = workOr(directory);
    Path ssdParent = ssd != null ? ssd : work;
    // Shared memory stands in for PMem where it has room.
    Path usual =
        Files.isWritable(SHARED_MEMORY) && SHARED_MEMORY.toFile().getUsableSpace() >= pmemBytes
            ? SHARED_MEMORY
            : ssdParent;
    return new Parents(work, pmem != null ? pmem : usual, ssdParent);
  }

  /** Returns where data and logs lie, by default in the checkout. */
  public static Path workOr(Path directory) throws RunFailure {
    try {
      return directory != null ? directory : HBaseInstall.home().resolve("bench/target");
    } catch (IOException e) {
      throw new RunFailure(e.getMessage(), e);
    }
  }
}
