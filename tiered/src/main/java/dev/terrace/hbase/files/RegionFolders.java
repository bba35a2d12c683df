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

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.region.device.DeviceThreads;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.FileLink;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;

/**
 * The folders of HBase's regions, listed one after the other on a thread of their own. An answer
 * holds for two minutes for each thousand regions that are asked for, so that many regions are no
 * load on the file system. A region that nobody asks for is forgotten. A folder that cannot be
 * listed is not known. Thread-safe.
 */
public final class RegionFolders implements DeadFiles.Folders {

  /** For this long the answers of up to {@link #REGIONS} regions hold; those of more for longer. */
  static final Duration HOLDS = Duration.ofMinutes(2);

  static final int REGIONS = 1_000;

  /** A store that keeps a list of its files may have some without a file in its folder. */
  private static final String LIST_OF_FILES = ".filelist";

  private final Supplier<Optional<Configuration>> server;
  private final RateLimitedLog log;
  private final LongSupplier nanoClock;
  private final Set<Asked> waiting = ConcurrentHashMap.newKeySet();
  private final Executor thread = DeviceThreads.onDemand("terrace-region-folders", 1);
  private final Cache<Asked, Listing> listings;

  private record Asked(String table, String region, boolean isMob) {}

  /**
   * What was found.
   *
   * @param files null if nothing is known of them
   */
  private record Listing(Set<String> files, long atNanos) {}

  /**
   * Lists nothing yet.
   *
   * @param server the settings of the region server whose file system is asked, if it is known
   */
  public RegionFolders(
      Supplier<Optional<Configuration>> server, RateLimitedLog log, LongSupplier nanoClock) {
    this.server = server;
    this.log = log;
    this.nanoClock = nanoClock;
    this.listings =
        Caffeine.newBuilder()
            .expireAfterAccess(HOLDS)
            .ticker(nanoClock::getAsLong)
            .executor(Runnable::run)
            .build();
  }

  @Override
  public Optional<Set<String>> files(Owner region, boolean isMob) {
    if (region.table() == null) {
      return Optional.empty();
    }
    Asked asked = new Asked(region.table(), region.region(), isMob);
    Listing listing = fresh(asked);
    if (listing == null) {
      server.get().ifPresent(conf -> enqueue(conf, asked));
      return Optional.empty();
    }
    return Optional.ofNullable(listing.files);
  }

  private Listing fresh(Asked asked) {
    Listing listing = listings.getIfPresent(asked);
    return listing == null || isOld(listing) ? null : listing;
  }

  private boolean isOld(Listing listing) {
    long thousands = (listings.estimatedSize() + REGIONS - 1) / REGIONS;
    return nanoClock.getAsLong() - listing.atNanos >= thousands * HOLDS.toNanos();
  }

  private void enqueue(Configuration conf, Asked asked) {
    if (waiting.add(asked)) {
      boolean queued = false;
      try {
        thread.execute(
            () -> {
              try {
                // It may have been listed between the question and this.
                if (fresh(asked) == null) {
                  put(asked, list(conf, asked));
                }
              } catch (IOException | RuntimeException | Error e) {
                put(asked, null);
                log.warn("Unknown whether the files of a region are there: " + asked.region, e);
              } finally {
                waiting.remove(asked);
              }
            });
        queued = true;
      } finally {
        if (!queued) {
          waiting.remove(asked);
        }
      }
    }
  }

  private void put(Asked asked, Set<String> files) {
    listings.put(asked, new Listing(files, nanoClock.getAsLong()));
  }

  private static Set<String> list(Configuration conf, Asked asked) throws IOException {
    Path root = asked.isMob ? MobUtils.getMobHome(conf) : CommonFSUtils.getRootDir(conf);
    Path folder =
        new Path(CommonFSUtils.getTableDir(root, TableName.valueOf(asked.table)), asked.region);
    FileSystem fileSystem = root.getFileSystem(conf);
    Set<String> names = new HashSet<>();
    if (asked.isMob) {
      addLinked(names, fileSystem, conf, asked);
    }
    FileStatus[] families = children(fileSystem, folder);
    if (families.length == 0 && !fileSystem.exists(root)) {
      // Without its root nothing is known of a file system.
      return null;
    }
    for (FileStatus family : families) {
      String name = family.getPath().getName();
      if (family.isDirectory() && !name.equals(HConstants.RECOVERED_EDITS_DIR)) {
        addFiles(names, fileSystem, family.getPath());
      }
    }
    return Set.copyOf(names);
  }

  private static FileStatus[] children(FileSystem fileSystem, Path folder) throws IOException {
    try {
      return fileSystem.listStatus(folder);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }

  /** Clones read MOB files where they were written, or in the archive. No store lists them. */
  private static void addLinked(
      Set<String> names, FileSystem fileSystem, Configuration conf, Asked asked)
      throws IOException {
    Path archive =
        HFileArchiveUtil.getRegionArchiveDir(
            CommonFSUtils.getRootDir(conf), TableName.valueOf(asked.table), asked.region);
    for (FileStatus family : children(fileSystem, archive)) {
      for (FileStatus file : children(fileSystem, family.getPath())) {
        if (FileLink.isBackReferencesDir(file.getPath())
            && children(fileSystem, file.getPath()).length > 0) {
          names.add(FileLink.getBackReferenceFileName(file.getPath()));
        }
      }
    }
  }

  private static void addFiles(Set<String> names, FileSystem fileSystem, Path folder)
      throws IOException {
    for (FileStatus file : fileSystem.listStatus(folder)) {
      String name = file.getPath().getName();
      if (name.equals(LIST_OF_FILES)) {
        throw new IOException("the store keeps a list of its files: " + folder);
      }
      if (file.isDirectory()) {
        addFiles(names, fileSystem, file.getPath());
      } else {
        names.add(StoreFileNames.physical(name));
      }
    }
  }
}
