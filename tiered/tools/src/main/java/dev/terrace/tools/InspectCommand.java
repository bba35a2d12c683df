// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.folder.ReadOnlyDevice.UnreadableCacheException;
import dev.terrace.region.folder.UnusablePathException;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.Damage;
import dev.terrace.region.inspect.CacheInspection.Depth;
import dev.terrace.region.inspect.CacheInspection.RegionState;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code inspect}: shows the contents of a stopped cache, or reads and checks every block. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the contents of a PMem or SSD path: format, regions, and the blocks and files that a"
          + " restart would recover. With --verify it reads every block and checks its entry in the"
          + " region's table, its key and its checksums. Changes nothing."
    },
    footerHeading = "%n",
    footer = {
      "The cache must be stopped, or PATH must be a copy of it. Exit value: 0; 1 if the superblock or"
          + " the regions file is corrupt, or with --verify any block; 2 if the cache is in use, PATH"
          + " has no cache or cannot be read, or an option is wrong; 3 if another version of Terrace"
          + " wrote it."
    })
public final class InspectCommand implements Callable<Integer> {

  /** Exit value if something is damaged. */
  private static final int DAMAGED = 1;

  /** Exit value if another version of Terrace wrote the cache. */
  private static final int OTHER_FORMAT = 3;

  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      description = "A path of the configuration, the folder 'terrace' in it, or a copy of either.")
  private Path path;

  @Option(
      names = "--files",
      paramLabel = "N|all",
      converter = Limit.class,
      defaultValue = "10",
      description = "Lists at most N files, the largest first (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(names = "--verify", description = "Reads and checks every block.")
  private boolean verify;

  @Option(
      names = "--max-damaged",
      paramLabel = "N|all",
      converter = Limit.class,
      defaultValue = "1000",
      description =
          "With --verify, lists at most N damaged places and counts the others (default:"
              + " ${DEFAULT-VALUE}).")
  private int maxDamaged;

  /** A number of lines, or {@code all}. */
  static final class Limit implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      if (value.equalsIgnoreCase("all")) {
        return Integer.MAX_VALUE;
      }
      if (!value.matches("[0-9]{1,9}")) {
        throw new TypeConversionException("'" + value + "' must be a number or all");
      }
      return Integer.valueOf(value);
    }
  }

  @Override
  public Integer call() {
    try (ReadOnlyDevice cache = ReadOnlyDevice.open(path)) {
      if (verify) {
        return verify(cache);
      }
      CacheInspection found = new CacheInspection(cache, Depth.TABLES, done -> {});
      new InspectReport(spec.commandLine().getOut(), cache, found, files).print();
      return 0;
    } catch (UnreadableCacheException e) {
      int unused = Complaint.print(spec, e.getMessage());
      return e.isOfOtherFormat() ? OTHER_FORMAT : DAMAGED;
    } catch (UnusablePathException e) {
      return Complaint.print(spec, e.getMessage());
    } catch (IOException e) {
      return Complaint.print(spec, "path=" + path + " cannot be read: " + e);
    }
  }

  /** Reads every block, prints what is damaged, and returns the exit value. */
  private int verify(ReadOnlyDevice cache) {
    CacheInspection found =
        new CacheInspection(
            cache, Depth.BLOCKS, progress(cache.regions(), spec.commandLine().getErr()));
    PrintWriter out = spec.commandLine().getOut();
    Optional<String> superblockFault = cache.superblockFault();
    superblockFault.ifPresent(
        fault ->
            out.println("DAMAGED  superblock: " + fault + "; the next start rewrites both copies"));
    List<Damage> damages = found.damages();
    damages.stream().limit(maxDamaged).forEach(damage -> out.println("DAMAGED  " + damage));
    if (damages.size() > maxDamaged) {
      out.printf(Locale.ROOT, "and %,d more (--max-damaged)%n", damages.size() - maxDamaged);
    }
    out.println(summary(cache, found));
    if (!damages.isEmpty()) {
      out.println(
          "A server that starts on this path drops the damaged blocks; their reads go to HBase's"
              + " files.");
    }
    out.flush();
    return damages.isEmpty() && superblockFault.isEmpty() ? 0 : DAMAGED;
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
