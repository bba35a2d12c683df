// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.FaultLane.Fault;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * Damage to the lists of heat in the folders of regions. Whoever opens a region next without an
 * orderly close before meets it, as after a kill. {@code docs/format.md} describes the bytes.
 */
record HeatFaults(Configuration client, Admin admin, List<TableName> tables) {

  private static final String LIST = ".terrace-heat.";

  private enum Damage {
    EMPTIED,
    TORN,
    FLIPPED,
    /** A folder takes the place of the list, which can be neither read nor written. */
    UNREADABLE
  }

  /** Damages the lists of one table. */
  String strike(SplittableRandom random) throws IOException {
    TableName table = Fault.one(random, tables);
    return damage(admin.getRegions(table), random) + " of " + table;
  }

  List<RegionInfo> regions() throws IOException {
    List<RegionInfo> regions = new ArrayList<>();
    for (TableName table : tables) {
      regions.addAll(admin.getRegions(table));
    }
    return regions;
  }

  /** Damages the list of each region, in all ways in turn; returns the number of lists. */
  String damage(List<RegionInfo> regions, SplittableRandom random) throws IOException {
    Damage[] ways = Damage.values();
    int way = random.nextInt(ways.length);
    int gone = 0;
    for (RegionInfo region : regions) {
      try {
        damage(region, ways[way++ % ways.length], random);
      } catch (FileNotFoundException e) {
        gone++;
      }
    }
    return regions.size() - gone + " lists" + (gone == 0 ? "" : ", " + gone + " gone");
  }

  private void damage(RegionInfo region, Damage damage, SplittableRandom random)
      throws IOException {
    Path folder =
        new Path(
            CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(client), region.getTable()),
            region.getEncodedName());
    FileSystem files = folder.getFileSystem(client);
    Path list = newest(files, folder);
    byte[] bytes = read(files, list);
    byte[] damaged =
        switch (damage) {
          case EMPTIED, UNREADABLE -> new byte[0];
          case TORN -> Arrays.copyOf(bytes, bytes.length / 2);
          case FLIPPED -> flipped(bytes, random);
        };
    // Fails if the region's folder is gone.
    write(files, list, damaged);
    if (damage == Damage.UNREADABLE) {
      files.delete(list, true);
      files.mkdirs(list);
    }
  }

  /** The list that the next server reads, or a name older than that of any list. */
  private static Path newest(FileSystem files, Path folder) throws IOException {
    FileStatus[] lists = files.globStatus(new Path(folder, LIST + "*"));
    return lists.length == 0
        ? new Path(folder, LIST + "0".repeat(32))
        : lists[lists.length - 1].getPath();
  }

  private static byte[] read(FileSystem files, Path list) throws IOException {
    try (FSDataInputStream in = files.open(list)) {
      return in.readAllBytes();
    } catch (FileNotFoundException e) {
      return new byte[0];
    }
  }

  /** Writes a list; if its folder is gone, it is not made again. */
  private static void write(FileSystem files, Path list, byte[] bytes) throws IOException {
    files.delete(list, true);
    try (FSDataOutputStream out = files.createFile(list).build()) {
      out.write(bytes);
    }
  }

  private static byte[] flipped(byte[] list, SplittableRandom random) {
    // An absent list becomes one of a single byte.
    byte[] flipped = Arrays.copyOf(list, Math.max(1, list.length));
    flipped[random.nextInt(flipped.length)] ^= 1;
    return flipped;
  }
}
