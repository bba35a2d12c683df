// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.file;

import dev.terrace.api.Access;
import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.Device;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The process that {@link FullTierKillRounds} kills: threads put blocks, many times what the tier
 * has room for, and write down which were stored after they were. Once the tier has wrapped, it
 * steals bytes from its own regions for {@link HostileBlocks}.
 */
public final class FullTierWriter {

  /** Printed when there are hostile bytes all over the tier. */
  static final String FULL = "full";

  private static final int THREADS = 2;
  private static final int PUTS_PER_LOOKUP = 8;
  private static final long MAX_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

  private final RegionTier<byte[]> tier;
  private final Path regionsFile;
  private final Path loot;
  private final FileChannel log;
  private final String file;
  private final AtomicLong putBytes = new AtomicLong();
  private volatile HostileBlocks blocks = HostileBlocks.none();

  private FullTierWriter(RegionTier<byte[]> tier, FileChannel log, String[] args) {
    this.tier = tier;
    this.regionsFile = FullTierKillRounds.regionsFile(Path.of(args[0]));
    this.loot = Path.of(args[2]);
    this.log = log;
    this.file = args[3];
  }

  /**
   * Puts blocks until the process is killed.
   *
   * @param args the cache's path, the file to write down what was stored, that for what is stolen,
   *     the blocks' file
   */
  public static void run(List<? extends Device> devices, String[] args)
      throws IOException, InterruptedException {
    RegionTier<byte[]> tier = RegionTier.open(new ForgedBytes.Codec(), devices, KillRounds.CONFIG);
    FileChannel log =
        FileChannel.open(
            Path.of(args[1]), StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
    FullTierWriter writer = new FullTierWriter(tier, log, args);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int first = i;
      threads.add(new Thread(() -> writer.work(first), "writer-" + i));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void work(int first) {
    SplittableRandom random = new SplittableRandom(first);
    try {
      for (long n = first; ; n += THREADS) {
        HostileBlocks kind = blocks;
        byte[] block = kind.of(file, kind.offset(n));
        put(tier, file, kind.offset(n), block);
        log.write(ByteBuffer.allocate(Long.BYTES).putLong(0, kind.offset(n)));
        afterPut(block.length);
        if (random.nextInt(PUTS_PER_LOOKUP) == 0) {
          read(kind, kind.offset(first + THREADS * random.nextLong(n / THREADS + 1)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts a block, and waits until there is room for it. */
  static void put(RegionTier<byte[]> tier, String file, long offset, byte[] block) {
    PutOutcome outcome = PutOutcome.BUSY;
    while (outcome == PutOutcome.BUSY) {
      outcome = tier.put(file(file), offset, block, ForgedBytes.TRAITS, MAX_WAIT_NANOS);
    }
    if (outcome != PutOutcome.STORED) {
      throw new IllegalStateException("file=" + file + " offset=" + offset + ": " + outcome);
    }
  }

  private void afterPut(int sizeBytes) throws IOException {
    long bytes = putBytes.addAndGet(sizeBytes);
    long wrapped = FullTierKillRounds.sizeBytes();
    if (bytes >= wrapped && bytes - sizeBytes < wrapped) {
      HostileBlocks stolen =
          HostileBlocks.steal(regionsFile, new SplittableRandom(file.hashCode()));
      stolen.save(loot);
      blocks = stolen;
    }
    long full = 2 * wrapped;
    if (bytes >= full && bytes - sizeBytes < full) {
      new PrintStream(System.out, true, StandardCharsets.UTF_8).println(FULL);
    }
  }

  private void read(HostileBlocks kind, long offset) {
    byte[] found = tier.get(file(file), offset, Access.CACHING);
    if (found != null && !Arrays.equals(found, kind.of(file, offset))) {
      throw new IllegalStateException("wrong bytes: file=" + file + " offset=" + offset);
    }
  }
}
