// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.file;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The process that {@link KillRounds} kills: threads put and get blocks, and write down what was
 * accepted after it was. Lines that a kill cut off are ignored.
 */
public final class KilledWriter {

  private static final int THREADS = 2;
  private static final int LARGEST_TENTH = 200;

  private static final int LOOKUPS_PER_PUT = 4;

  /** When it has put its part of what fits into the cache in all rounds, it nearly only reads. */
  private static final int LOOKUPS_PER_PUT_LATER = 10_000;

  /** A number of offsets that each thread may use before the next begins. */
  private static final long OFFSETS_PER_THREAD = 1L << 32;

  private final RegionTier<CountedBlock> tier;
  private final FileChannel log;
  private final String file;
  private final long maxBytes;

  /**
   * A block that was accepted.
   *
   * @param millis when, by the wall clock
   */
  record Accepted(String file, long offset, int sizeBytes, long millis) {}

  private KilledWriter(RegionTier<CountedBlock> tier, FileChannel log, String file, long maxBytes) {
    this.tier = tier;
    this.log = log;
    this.file = file;
    this.maxBytes = maxBytes;
  }

  /**
   * Puts blocks until the process is killed.
   *
   * @param args the cache's path, the file to write down what was accepted, the blocks' file, and
   *     how many bytes of them it may put
   */
  public static void run(List<? extends Device> devices, String[] args)
      throws IOException, InterruptedException {
    RegionTier<CountedBlock> tier =
        RegionTier.open(
            CountedBlockCodec.sharing(LeaseLedger.counting()), devices, KillRounds.config(args[2]));
    FileChannel log =
        FileChannel.open(
            Path.of(args[1]), StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
    KilledWriter writer = new KilledWriter(tier, log, args[2], Long.parseLong(args[3]));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      long first = i * OFFSETS_PER_THREAD;
      threads.add(new Thread(() -> writer.work(first), "writer-" + i));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void work(long first) {
    SplittableRandom random = new SplittableRandom();
    long putBytes = 0;
    for (long offset = first; ; ) {
      int size = 10 * (1 + random.nextInt(LARGEST_TENTH));
      CountedBlock block = CountedBlock.of(file, offset, size);
      PutOutcome outcome =
          tier.put(
              file(file), offset, block, new BlockTraits(1, BlockTraits.Residency.ORDINARY), 0);
      block.release();
      if (outcome == PutOutcome.STORED) {
        write(file + " " + offset + " " + size + " " + System.currentTimeMillis());
        offset++;
        putBytes += size;
      }
      boolean hadItsPart = putBytes > maxBytes / THREADS;
      int lookups = hadItsPart ? LOOKUPS_PER_PUT_LATER : LOOKUPS_PER_PUT;
      for (int i = 0; i < lookups && offset > first; i++) {
        read(first + random.nextLong(offset - first));
      }
    }
  }

  /** What a killed process had written down. */
  static List<Accepted> read(Path log) throws IOException {
    String text = Files.readString(log, StandardCharsets.US_ASCII);
    List<Accepted> accepted = new ArrayList<>();
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      String[] parts = line.split(" ", -1);
      accepted.add(
          new Accepted(
              parts[0],
              Long.parseLong(parts[1]),
              Integer.parseInt(parts[2]),
              Long.parseLong(parts[3])));
    }
    return accepted;
  }

  private void read(long offset) {
    CountedBlock found = tier.get(file(file), offset, Access.CACHING);
    if (found != null) {
      Payloads.check(file, offset, found);
      found.release();
    }
  }

  private void write(String line) {
    try {
      log.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
