// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.TextTable;
import dev.terrace.hbase.warm.list.HeatList;
import dev.terrace.hbase.warm.list.HeatList.Mark;
import dev.terrace.hbase.warm.list.HeatList.OfFile;
import dev.terrace.hbase.warm.list.HeatList.OtherVersionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/** A region's list of heat as text: the blocks that a server had cached of it. */
final class HeatReport {

  private static final String STANDARD_INPUT = "-";
  private static final String FILE_NAME = ".terrace-heat";

  /**
   * Blocks of one kind, such as of a tier.
   *
   * @param hit those of them that were hit since the cache last looked at them
   * @param isFirst those that a next server reads before all others
   */
  private record Sum(long blocks, long bytes, long hit, long isFirst) {

    static final Sum NONE = new Sum(0, 0, 0, 0);

    Sum plus(OfFile file, int block) {
      byte mark = file.marks()[block];
      return new Sum(
          blocks + 1,
          bytes + file.sizes()[block],
          hit + (Mark.hits(mark) > 0 ? 1 : 0),
          isFirst + (Mark.isProtected(mark) ? 1 : 0));
    }

    String[] cells(String name) {
      return new String[] {
        name,
        TextTable.count(blocks),
        ByteSize.readable(bytes),
        TextTable.count(hit),
        TextTable.count(isFirst)
      };
    }
  }

  private HeatReport() {}

  /** Whether a path is such a list, the folder of one, or {@code -} for the standard input. */
  static boolean isOf(String path) {
    return path.equals(STANDARD_INPUT)
        || path.endsWith(FILE_NAME)
        || Files.exists(Path.of(path, FILE_NAME));
  }

  /** Prints a list, or in one line why that failed, and returns the exit value. */
  static int print(CommandSpec spec, String path, int files) {
    byte[] bytes;
    try {
      bytes = bytes(path);
    } catch (NoSuchFileException e) {
      return StoppedCache.complain(
          spec,
          path + " does not exist: no server wrote a list of the region",
          StoppedCache.REFUSED);
    } catch (IOException e) {
      return StoppedCache.complain(spec, path + " cannot be read: " + e, StoppedCache.REFUSED);
    }
    try {
      spec.commandLine().getOut().print(text(path, HeatList.decoded(bytes), files));
      spec.commandLine().getOut().flush();
      return 0;
    } catch (OtherVersionException e) {
      return StoppedCache.complain(
          spec,
          path + " was written by another version of Terrace: " + e.getMessage(),
          StoppedCache.OTHER_FORMAT);
    } catch (IOException e) {
      return StoppedCache.complain(
          spec,
          path + " is damaged: " + e.getMessage() + "; servers leave it out, and write a new one",
          StoppedCache.DAMAGED);
    }
  }

  private static byte[] bytes(String path) throws IOException {
    Path file = Path.of(path);
    try (InputStream in =
        path.equals(STANDARD_INPUT)
            ? System.in
            : Files.newInputStream(Files.isDirectory(file) ? file.resolve(FILE_NAME) : file)) {
      return in.readNBytes(HeatList.MOST_BYTES + 1);
    }
  }

  private static String text(String path, HeatList list, int limit) {
    TextTable tiers = new TextTable(1, "tier", "blocks", "bytes", "hit", "index, bloom");
    for (int tier = 0; tier < Mark.TIERS.size(); tier++) {
      Sum sum = Sum.NONE;
      for (OfFile file : list.files()) {
        sum = sum(sum, file, tier);
      }
      if (sum.blocks > 0) {
        tiers.add(sum.cells(Mark.TIERS.get(tier)));
      }
    }
    TextTable files = new TextTable(1, "file", "blocks", "bytes", "hit", "index, bloom");
    List<OfFile> hottest =
        list.files().stream()
            .sorted(Comparator.comparingLong(HeatReport::heat).reversed())
            .limit(limit)
            .toList();
    hottest.forEach(file -> files.add(sum(Sum.NONE, file, -1).cells(file.file())));

    int left = list.files().size() - hottest.size();
    return String.format(
        Locale.ROOT,
        "%s: %,d blocks of %,d files, written at %s%n%n%s%n%s%s",
        path,
        list.blocks(),
        list.files().size(),
        Instant.ofEpochMilli(list.writtenMillis()),
        tiers,
        files,
        left == 0 ? "" : String.format(Locale.ROOT, "and %,d more (--files all)%n", left));
  }

  /** Adds a file's blocks of a tier, or of all if it is negative. */
  private static Sum sum(Sum before, OfFile file, int tier) {
    Sum sum = before;
    for (int block = 0; block < file.blocks(); block++) {
      if (tier < 0 || Mark.tier(file.marks()[block]) == tier) {
        sum = sum.plus(file, block);
      }
    }
    return sum;
  }

  /** The sum of how early its blocks are wanted back. */
  private static long heat(OfFile file) {
    long heat = 0;
    for (byte mark : file.marks()) {
      heat += Mark.END - Mark.rank(mark);
    }
    return heat;
  }
}
