// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * The files in a region's directory that contain its hot lists.
 *
 * <pre>
 *   .terrace-heat.SSSSSSSSSSSSSSSSTTTTTTTTTTTTTTTT     of a region
 *   .terrace-heat-R.SSSSSSSSSSSSSSSSTTTTTTTTTTTTTTTT   of its replica R
 * </pre>
 *
 * S is the sequence number with which the region opened; it grows with each open. T is the time at
 * which the list was written. Both have 16 hexadecimal digits, so the names are ordered: if a slow
 * store completes a list after the next server has written one, the late list still sorts below,
 * and is never read. HBase deletes these files with the region's directory, and otherwise ignores
 * them.
 */
final class HotListFile {

  static final String NAME = ".terrace-heat";

  private static final int BUFFER_BYTES = 64 << 10;

  private HotListFile() {}

  /** The prefix of the names of a region's lists. */
  static String prefix(RegionInfo region) {
    int replica = region.getReplicaId();
    return replica == RegionInfo.DEFAULT_REPLICA_ID ? NAME + "." : NAME + "-" + replica + ".";
  }

  /** The prefix of the names of primary replicas' lists. */
  static String primaryPrefix() {
    return NAME + ".";
  }

  /**
   * Writes a region's list.
   *
   * @param writtenMillis when the list was made
   * @param calls counts calls of the file system
   * @return the list's file
   * @throws FileNotFoundException if the region's directory is gone
   */
  static Path write(HRegion region, long writtenMillis, byte[] list, LongAdder calls)
      throws IOException {
    FileSystem files = region.getRegionFileSystem().getFileSystem();
    Path folder = region.getRegionFileSystem().getRegionDir();
    String prefix = prefix(region.getRegionInfo());
    String name =
        String.format(
            Locale.ROOT,
            "%s%016x%016x",
            prefix,
            Math.max(0, region.getOpenSeqNum()),
            writtenMillis);
    Path file = new Path(folder, name);
    // The permissions of store files, since tools that copy the region read this file, too.
    FsPermission rights =
        CommonFSUtils.getFilePermissions(
            files, region.getReadOnlyConfiguration(), HConstants.DATA_FILE_UMASK_KEY);
    calls.increment();
    // Does not create the directory, which would bring that of a dropped region back.
    try (FSDataOutputStream out =
        files.createNonRecursive(
            file,
            rights,
            EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
            BUFFER_BYTES,
            files.getDefaultReplication(file),
            files.getDefaultBlockSize(file),
            null)) {
      out.write(list);
    }
    return file;
  }

  /**
   * Deletes a region's lists but for the newest.
   *
   * @param newest the list that was written last
   * @param older the only other list; null if that is not known, which costs a listing
   */
  static void deleteOlder(HRegion region, Path newest, Path older, LongAdder calls)
      throws IOException {
    FileSystem files = region.getRegionFileSystem().getFileSystem();
    List<Path> all =
        older != null
            ? List.of(newest, older)
            : all(files, newest.getParent(), prefix(region.getRegionInfo()), calls);
    for (Path file : all.subList(Math.min(1, all.size()), all.size())) {
      calls.increment();
      files.delete(file, true);
    }
  }

  /**
   * Reads the newest readable list.
   *
   * @param calls counts calls of the file system
   * @return empty if there is none
   * @throws IOException if there are files, but none can be read as a list
   */
  static Optional<HotList> read(FileSystem files, Path folder, String prefix, LongAdder calls)
      throws IOException {
    IOException failure = null;
    for (Path file : all(files, folder, prefix, calls)) {
      calls.increment();
      try {
        return Optional.of(read(files, file));
      } catch (FileNotFoundException e) {
        // A newer list replaced it. If it still exists, reading it may not be permitted.
        failure = files.exists(file) ? e : failure;
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return Optional.empty();
  }

  private static HotList read(FileSystem files, Path file) throws IOException {
    try (FSDataInputStream in = files.open(file)) {
      return HotList.decoded(in.readNBytes(HotList.MAX_BYTES + 1));
    }
  }

  /** The lists in a directory, the newest first. */
  private static List<Path> all(FileSystem files, Path folder, String prefix, LongAdder calls)
      throws IOException {
    calls.increment();
    try {
      FileStatus[] all = files.listStatus(folder, path -> path.getName().startsWith(prefix));
      return Stream.of(all)
          .map(FileStatus::getPath)
          .sorted(Comparator.comparing(Path::getName).reversed())
          .toList();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }
}
