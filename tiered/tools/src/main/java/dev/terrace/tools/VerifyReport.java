// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.Damage;
import dev.terrace.region.inspect.CacheInspection.Depth;
import dev.terrace.region.inspect.CacheInspection.RegionState;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import picocli.CommandLine.Model.CommandSpec;

/** Reports the damage in a stopped cache, after reading and checking every block. */
final class VerifyReport {

  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private VerifyReport() {}

  /** Reads every block, prints what is damaged, and returns the exit value. */
  static int print(CommandSpec spec, ReadOnlyDevice cache, int most) {
    CacheInspection found =
        new CacheInspection(
            cache, Depth.BLOCKS, progress(cache.regions(), spec.commandLine().getErr()));
    PrintWriter out = spec.commandLine().getOut();
    Optional<String> superblockFault = cache.superblockFault();
    superblockFault.ifPresent(
        fault ->
            out.println("DAMAGED  superblock: " + fault + "; the next start rewrites both copies"));
    List<Damage> damages = found.damages();
    damages.stream().limit(most).forEach(damage -> out.println("DAMAGED  " + damage));
    if (damages.size() > most) {
      out.printf(Locale.ROOT, "and %,d more (--max-damaged)%n", damages.size() - most);
    }
    out.println(summary(cache, found));
    if (!damages.isEmpty()) {
      out.println(
          "A server that starts on this path drops the damaged blocks; their reads go to HBase's"
              + " files.");
    }
    out.flush();
    return damages.isEmpty() && superblockFault.isEmpty() ? 0 : InspectCommand.DAMAGED;
  }

  /** Prints every five seconds how many regions have been read. */
  private static IntConsumer progress(int ofRegions, PrintWriter out) {
    AtomicLong printedAt = new AtomicLong(System.nanoTime());
    return regions -> {
      long now = System.nanoTime();
      if (now - printedAt.get() >= PROGRESS_NANOS) {
        printedAt.set(now);
        out.printf(Locale.ROOT, "%,d of %,d regions read%n", regions, ofRegions);
        out.flush();
      }
    };
  }

  private static String summary(ReadOnlyDevice cache, CacheInspection found) {
    long records = found.live().blocks() + found.dead().blocks();
    long bytes = found.live().payloadBytes() + found.dead().payloadBytes();
    int used = cache.regions() - found.regions(RegionState.EMPTY);
    String read =
        String.format(
            Locale.ROOT,
            "%s: %,d blocks (%s) in %,d of %,d regions",
            cache.path(),
            records,
            ByteSize.readable(bytes),
            used,
            cache.regions());
    if (!found.damages().isEmpty()) {
      return String.format(
          Locale.ROOT,
          "%s; blocks intact: %,d, places damaged: %,d",
          read,
          found.rightBlocks(),
          found.damages().size());
    }
    if (records == 0) {
      return read + ": the cache is empty";
    }
    return read + (cache.superblockFault().isEmpty() ? ": all right" : ": all blocks are intact");
  }
}
