// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.api.Amount;
import dev.terrace.api.FileUsage;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.TextTable;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.folder.ReadOnlyDevice.UnreadableCacheException;
import dev.terrace.region.folder.UnusablePathException;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.RegionState;
import dev.terrace.region.inspect.CacheInspection.Stored;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
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
public final class InspectCommand extends ToolCommand {

  /** Exit value if something is damaged. */
  private static final int DAMAGED = 1;

  /** Exit value if another version of Terrace wrote the cache. */
  private static final int OTHER_FORMAT = 3;

  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss z", Locale.ROOT);

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

  private PrintWriter out;
  private ReadOnlyDevice cache;
  private CacheInspection found;

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
  int run(PrintWriter printer) {
    out = printer;
    try (ReadOnlyDevice device = ReadOnlyDevice.open(path)) {
      cache = device;
      found = new CacheInspection(device, verify, verify ? progress() : done -> {});
      return verify ? verdict() : report();
    } catch (UnreadableCacheException e) {
      int unused = complain(e.getMessage());
      return e.isOfOtherFormat() ? OTHER_FORMAT : DAMAGED;
    } catch (UnusablePathException e) {
      return complain(e.getMessage());
    } catch (IOException e) {
      return complain("path=" + path + " cannot be read: " + e);
    }
  }

  /** Prints what is damaged, and returns the exit value. */
  private int verdict() {
    Optional<String> superblockFault = cache.superblockFault();
    superblockFault.ifPresent(
        fault ->
            out.println("DAMAGED  superblock: " + fault + "; the next start rewrites both copies"));
    List<String> damages = found.damages();
    damages.stream().limit(maxDamaged).forEach(damage -> out.println("DAMAGED  " + damage));
    if (damages.size() > maxDamaged) {
      out.printf(Locale.ROOT, "and %,d more (--max-damaged)%n", damages.size() - maxDamaged);
    }
    out.println(summary());
    if (!damages.isEmpty()) {
      out.println(
          "A server that starts on this path drops the damaged blocks; their reads go to HBase's"
              + " files.");
    }
    return damages.isEmpty() && superblockFault.isEmpty() ? 0 : DAMAGED;
  }

  /** Prints every five seconds how many regions have been read. */
  private IntConsumer progress() {
    PrintWriter err = spec.commandLine().getErr();
    AtomicLong printedAt = new AtomicLong(System.nanoTime());
    return regions -> {
      long now = System.nanoTime();
      if (now - printedAt.get() >= PROGRESS_NANOS) {
        printedAt.set(now);
        err.printf(Locale.ROOT, "%,d of %,d regions read%n", regions, cache.regions());
        err.flush();
      }
    };
  }

  private String summary() {
    Amount records = found.live().plus(found.dead());
    int used = cache.regions() - found.regions(RegionState.EMPTY);
    String read =
        String.format(
            Locale.ROOT,
            "%s: %,d blocks (%s) in %,d of %,d regions",
            cache.path(),
            records.blocks(),
            ByteSize.readable(records.bytes()),
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
    if (records.blocks() == 0) {
      return read + ": the cache is empty";
    }
    return read + (cache.superblockFault().isEmpty() ? ": all right" : ": all blocks are intact");
  }

  private int report() {
    folder();
    blocks();
    if (found.live().blocks() > 0) {
      out.print('\n' + largestFiles());
    }
    if (!found.damages().isEmpty()) {
      line(
          "\nDamaged places: %d, the first one: %s",
          found.damages().size(), found.damages().get(0));
      line("To list all of them and check every block: terrace inspect --verify %s", cache.path());
    }
    return 0;
  }

  private void folder() {
    field(
        "cache",
        "%s, %s, format version %d",
        cache.path(),
        cache.superblock().kind(),
        Superblock.FORMAT_VERSION);
    field("id", "%s, opened %s", cache.superblock().id(), times(cache.generation()));
    field("created", "%s", time(cache.superblock().createdMillis()));
    field("last opened", "%s", time(cache.superblock().openedMillis()));
    long sizeBytes = (long) cache.regions() * cache.regionBytes();
    field(
        "size",
        "%s: %,d regions of %s",
        ByteSize.readable(sizeBytes),
        cache.regions(),
        ByteSize.readable(cache.regionBytes()));
    if (cache.regionsFileBytes() != sizeBytes) {
      field(
          "",
          "but the regions file has %,d bytes instead of %,d",
          cache.regionsFileBytes(),
          sizeBytes);
    }
    field(
        "regions",
        "%s",
        Arrays.stream(RegionState.values())
            .map(state -> String.format(Locale.ROOT, "%,d %s", found.regions(state), state))
            .collect(Collectors.joining(", ")));
  }

  private static String times(long generation) {
    return generation == 1 ? "once" : String.format(Locale.ROOT, "%,d times", generation);
  }

  private void blocks() {
    Amount live = found.live();
    if (live.blocks() == 0) {
      field("blocks", "none, the cache is empty");
    } else {
      field("blocks", "%s in %,d files", inWords(live), found.files().size());
    }
    if (found.dead().blocks() > 0) {
      field("", "and %s that a restart does not recover", inWords(found.dead()));
    }
    age("oldest", found.oldest());
    age("newest", found.newest());
  }

  private void age(String name, Optional<Stored> block) {
    block.ifPresent(
        stored ->
            field(
                name,
                "%s @ %d, in region %d of %s",
                stored.key().file(),
                stored.key().offset(),
                stored.region(),
                time(stored.regionMillis())));
  }

  private static String inWords(Amount amount) {
    return String.format(
        Locale.ROOT, "%,d (%s)", amount.blocks(), ByteSize.readable(amount.bytes()));
  }

  private String largestFiles() {
    List<FileUsage> all = found.files();
    TextTable table = new TextTable(1, "file", "blocks", "payload");
    all.stream()
        .limit(files)
        .forEach(
            file ->
                table.add(
                    file.file().name(),
                    TextTable.count(file.blocks()),
                    ByteSize.readable(file.payloadBytes())));
    int left = all.size() - Math.min(all.size(), files);
    return left == 0
        ? table.toString()
        : table + String.format(Locale.ROOT, "and %,d more (--files all)%n", left);
  }

  private String time(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
  }

  private void field(String name, String format, Object... values) {
    line("%-13s%s", name, String.format(Locale.ROOT, format, values));
  }

  private void line(String format, Object... values) {
    out.print(String.format(Locale.ROOT, format, values) + '\n');
  }
}
