/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.tools;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.Damage;
import dev.terrace.region.inspect.CacheInspection.Depth;
import dev.terrace.region.inspect.CacheInspection.RegionState;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code verify}: reads and checks every block of a stopped cache. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Reads and checks every block of a PMem or SSD path: its entry in the region's table, its key"
          + " and its checksums. Changes nothing."
    },
    footerHeading = "%n",
    footer = {
      "The cache must be stopped, or PATH a copy of it. Exit value: 0 if all blocks are right; 1 if"
          + " something is damaged; 2 if the cache is in use, or PATH is not a cache or may not be"
          + " read, or an option is wrong; 3 if another version of Terrace wrote it."
    })
public final class VerifyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      description = "A path of the configuration, the folder 'terrace' in it, or a copy of either.")
  private Path path;

  @Option(
      names = "--most",
      paramLabel = "N",
      converter = Count.class,
      defaultValue = "1000",
      description =
          "Lists at most N damaged places, and counts the others (default: ${DEFAULT-VALUE}).")
  private int most;

  /** A number of places. */
  static final class Count implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      if (!value.matches("[0-9]{1,9}")) {
        throw new TypeConversionException("'" + value + "' must be a number, 0 or more");
      }
      return Integer.valueOf(value);
    }
  }

  @Override
  public Integer call() {
    return StoppedCache.open(spec, path, this::verify);
  }

  private int verify(ReadOnlyDevice cache) {
    VerifyProgress progress =
        new VerifyProgress(
            spec.commandLine().getErr(),
            Boolean.getBoolean("terrace.terminal.errors"),
            System::nanoTime);
    CacheInspection found = CacheInspection.of(cache, Depth.BLOCKS, progress);
    progress.end();
    PrintWriter out = spec.commandLine().getOut();
    Optional<String> superblockTrouble = cache.superblockTrouble();
    superblockTrouble.ifPresent(
        trouble ->
            out.println("DAMAGED  superblock: " + trouble + "; the next start writes both anew"));
    List<Damage> damages = found.damages();
    damages.stream().limit(most).forEach(damage -> out.println("DAMAGED  " + damage));
    if (damages.size() > most) {
      out.printf(Locale.ROOT, "and %,d more (--most)%n", damages.size() - most);
    }
    out.println(summary(cache, found));
    if (!damages.isEmpty()) {
      out.println(
          "A server that starts on this path drops the damaged blocks, and reads them from HBase's"
              + " files.");
    }
    out.flush();
    return damages.isEmpty() && superblockTrouble.isEmpty() ? 0 : StoppedCache.DAMAGED;
  }

  private static String summary(ReadOnlyDevice cache, CacheInspection found) {
    long records = found.live().blocks() + found.superseded().blocks() + found.fleeting().blocks();
    long bytes =
        found.live().payloadBytes()
            + found.superseded().payloadBytes()
            + found.fleeting().payloadBytes();
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
          "%s; %,d blocks are right, %,d places are damaged",
          read,
          found.rightBlocks(),
          found.damages().size());
    }
    if (records == 0) {
      return read + ": the cache is empty";
    }
    return read + (cache.superblockTrouble().isEmpty() ? ": all right" : ": all blocks are right");
  }

  /**
   * Prints how many regions are read: a line that overwrites itself on a terminal, otherwise a line
   * every five seconds. Used by one thread.
   */
  static final class VerifyProgress implements CacheInspection.Watcher {

    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean terminal;
    private final LongSupplier nanoTime;
    private final long intervalNanos;
    private long lastNanos;
    private boolean shown;

    VerifyProgress(PrintWriter out, boolean terminal, LongSupplier nanoTime) {
      this.out = out;
      this.terminal = terminal;
      this.nanoTime = nanoTime;
      this.intervalNanos = Duration.ofMillis(terminal ? 250 : 5000).toNanos();
      this.lastNanos = nanoTime.getAsLong();
    }

    @Override
    public void done(int regions, int ofRegions) {
      long now = nanoTime.getAsLong();
      if (now - lastNanos < intervalNanos) {
        return;
      }
      lastNanos = now;
      String line =
          String.format(
              Locale.ROOT,
              "%,d of %,d regions read, %d %%",
              regions,
              ofRegions,
              100L * regions / ofRegions);
      if (terminal) {
        out.print(CLEAR_LINE + line);
        shown = true;
      } else {
        out.println(line);
      }
      out.flush();
    }

    /** Clears the line. */
    void end() {
      if (shown) {
        out.print(CLEAR_LINE);
        out.flush();
      }
    }
  }
}
