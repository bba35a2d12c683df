// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.region.format.BlockAddress;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Does to the files of a stopped cache what disks, controllers and people do, at random. */
final class Harm {

  private static final int MAX_AT_ONCE = 3;
  private static final int MAX_FLIPS = 50;
  private static final int PAGE_BYTES = 4096;
  private static final int SUPERBLOCK_BYTES = 3 * PAGE_BYTES;

  private enum Kind {
    FLIPS,
    SMEAR,
    ZEROS,
    CUT,
    OLD_PAGES,
    SUPERBLOCK
  }

  private final RandomAccessFile regions;
  private final RandomAccessFile superblock;
  private final byte[] old;
  private final SplittableRandom random;

  private Harm(
      RandomAccessFile regions, RandomAccessFile superblock, byte[] old, SplittableRandom random) {
    this.regions = regions;
    this.superblock = superblock;
    this.old = old;
    this.random = random;
  }

  /**
   * Does one to three harms.
   *
   * @param folder with the cache's files
   * @param old what was in the regions file at some time before
   * @return what was done
   */
  static List<String> some(Path folder, byte[] old, SplittableRandom random) throws IOException {
    List<String> done = new ArrayList<>();
    try (RandomAccessFile regions = new RandomAccessFile(folder.resolve("regions").toFile(), "rw");
        RandomAccessFile superblock =
            new RandomAccessFile(folder.resolve("superblock").toFile(), "rw")) {
      Harm harm = new Harm(regions, superblock, old, random);
      for (int i = random.nextInt(MAX_AT_ONCE); i >= 0; i--) {
        done.add(harm.one(Kind.values()[random.nextInt(Kind.values().length)]));
      }
    }
    return done;
  }

  private String one(Kind kind) throws IOException {
    return switch (kind) {
      case FLIPS -> flips();
      case SMEAR -> copy(true);
      case ZEROS -> copy(false);
      case CUT -> cut();
      case OLD_PAGES -> oldPages();
      case SUPERBLOCK -> {
        long at = random.nextLong(SUPERBLOCK_BYTES / PAGE_BYTES) * PAGE_BYTES + random.nextInt(128);
        flip(superblock, at);
        yield "superblock flipped at " + at;
      }
    };
  }

  private String flips() throws IOException {
    int flips = 1 + random.nextInt(MAX_FLIPS);
    for (int i = 0; i < flips; i++) {
      flip(regions, random.nextBoolean() ? inAnEdge() : random.nextLong(regions.length()));
    }
    return flips + " flips";
  }

  /** Near a region's start or end, where headers, tables and footers lie. */
  private long inAnEdge() throws IOException {
    long edges = regions.length() / HostileBlocks.REGION_BYTES;
    long at = random.nextLong(1, edges + 1) * HostileBlocks.REGION_BYTES;
    return Math.min(regions.length() - 1, at + random.nextInt(-PAGE_BYTES, PAGE_BYTES));
  }

  private void flip(RandomAccessFile file, long at) throws IOException {
    file.seek(at);
    int value = file.read();
    file.seek(at);
    file.write(value ^ 1 << random.nextInt(Byte.SIZE));
  }

  /** Bytes of one place, or zeros, over another one; mostly where a record could begin. */
  private String copy(boolean smear) throws IOException {
    int unit = random.nextInt(4) == 0 ? 1 : BlockAddress.RECORD_ALIGNMENT;
    int most = random.nextInt(3) == 0 ? HostileBlocks.REGION_BYTES : PAGE_BYTES;
    byte[] bytes = new byte[(1 + random.nextInt(most / unit)) * unit];
    long places = (regions.length() - bytes.length) / unit + 1;
    long from = random.nextLong(places) * unit;
    long to = random.nextLong(places) * unit;
    if (smear) {
      // Often the same place of another region.
      to = random.nextBoolean() ? to : sameInAnotherRegion(from, bytes.length);
      regions.seek(from);
      regions.readFully(bytes);
    }
    regions.seek(to);
    regions.write(bytes);
    return bytes.length + (smear ? " bytes of " + from : " zeros") + " over " + to;
  }

  private long sameInAnotherRegion(long at, int bytes) throws IOException {
    int size = HostileBlocks.REGION_BYTES;
    long region = random.nextLong((regions.length() - bytes) / size + 1);
    return Math.min(region * size + at % size, regions.length() - bytes);
  }

  private String cut() throws IOException {
    regions.setLength(random.nextLong(regions.length() / 2, regions.length()));
    return "cut off after " + regions.length();
  }

  /** Writes that never reached the device. */
  private String oldPages() throws IOException {
    int unit = random.nextInt(3) == 0 ? BlockAddress.RECORD_ALIGNMENT : PAGE_BYTES;
    int share = 1 << random.nextInt(1, 10);
    int done = 0;
    for (long at = 0; at + unit <= Math.min(old.length, regions.length()); at += unit) {
      if (random.nextInt(share) == 0) {
        regions.seek(at);
        regions.write(old, Math.toIntExact(at), unit);
        done++;
      }
    }
    return done + " old pieces of " + unit + " bytes";
  }
}
