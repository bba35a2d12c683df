// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.FaultLane.Fault;
import dev.terrace.hbase.warm.HeatList;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
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
 * What happens to the lists of heat in the folders of regions. Whoever opens a region next without
 * a close before meets it, as after a kill. {@code docs/format.md} has the bytes.
 */
final class HeatFaults {

  private static final String LIST = ".terrace-heat.";
  private static final int VERSION_AT = 8;
  private static final int LYING_BLOCKS = 200_000;

  /** One way to damage a list. */
  private enum Damage {
    EMPTIED,
    TORN,
    FLIPPED,
    /** Written by a later version, which has a right checksum. */
    NEWER,
    /** With a right checksum, and blocks that are not there. */
    FORGED,
    /** A folder has its place: it cannot be read, and not be written. */
    UNREADABLE
  }

  private final Configuration client;
  private final Admin admin;

  HeatFaults(Configuration client, Admin admin) {
    this.client = client;
    this.admin = admin;
  }

  /** Damages the lists of one table. */
  String strike(SplittableRandom random) throws IOException {
    TableName table = Fault.one(random, TableFaults.TABLES);
    return damage(admin.getRegions(table), random) + " of " + table;
  }

  /** Returns the regions of all tables. */
  List<RegionInfo> regions() throws IOException {
    List<RegionInfo> regions = new ArrayList<>();
    for (TableName table : TableFaults.TABLES) {
      regions.addAll(admin.getRegions(table));
    }
    return regions;
  }

  /** Damages the list of each region, in all ways in turn; returns how many. */
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
    byte[] forged = forged(files, folder);
    byte[] found = read(files, list);
    byte[] bytes = found.length == 0 ? forged : found;
    byte[] damaged =
        switch (damage) {
          case EMPTIED -> new byte[0];
          case TORN -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
          case FLIPPED -> {
            bytes[random.nextInt(bytes.length)] ^= 1;
            yield bytes;
          }
          case NEWER -> ofNextVersion(forged);
          case FORGED, UNREADABLE -> forged;
        };
    // Fails if the region's folder is gone.
    write(files, list, damaged);
    if (damage == Damage.UNREADABLE) {
      files.delete(list, true);
      files.mkdirs(list);
    }
  }

  /** The list that the next server reads, or a name that is older than any list. */
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

  /** Without its folder, if that is gone. */
  private static void write(FileSystem files, Path list, byte[] bytes) throws IOException {
    files.delete(list, true);
    try (FSDataOutputStream out = files.createFile(list).build()) {
      out.write(bytes);
    }
  }

  /** A list of the region's files with blocks of 64 MB, seven bytes apart, all of them hot. */
  private static byte[] forged(FileSystem files, Path folder) throws IOException {
    List<String> names = new ArrayList<>(List.of("gone"));
    for (FileStatus file : files.globStatus(new Path(folder, "[^.]*/[^.]*"))) {
      // A reference has the region that was split behind the name.
      names.add(file.getPath().getName().split("\\.", 2)[0]);
    }
    List<HeatList.OfFile> lying = new ArrayList<>();
    for (String name : names.stream().distinct().toList()) {
      HeatList.Blocks blocks = new HeatList.Blocks();
      for (int i = 0; i < LYING_BLOCKS / names.size(); i++) {
        blocks.add(7L * i, 1 << 26, HeatList.Mark.of(0, true, 3));
      }
      lying.add(blocks.of(name));
    }
    return new HeatList(0, lying).encoded();
  }

  /** The same list with another version, and the right checksum of that. */
  private static byte[] ofNextVersion(byte[] list) {
    ByteBuffer bytes = ByteBuffer.wrap(list);
    bytes.putInt(VERSION_AT, bytes.getInt(VERSION_AT) + 1);
    CRC32C check = new CRC32C();
    check.update(list, 0, list.length - Integer.BYTES);
    bytes.putInt(list.length - Integer.BYTES, (int) check.getValue());
    return list;
  }
}
