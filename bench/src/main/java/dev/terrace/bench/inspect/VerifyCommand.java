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
package dev.terrace.bench.inspect;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.Converters;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.Depth;
import dev.terrace.region.inspect.Damage;
import dev.terrace.region.inspect.RegionState;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code terrace verify}: reads and checks every block of a cache that is not running. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Reads every block of a PMem or SSD cache, and checks it against the region's table, its own"
          + " identity and its checksums.",
      "The cache must be stopped, or a copy; nothing is changed. Exit value: 0 if all is right; 1 if"
          + " something is damaged; 2 if the cache is in use, or no cache."
    })
public final class VerifyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      description = "A path as configured, or the folder 'terrace' below it, or a copy of one.")
  private Path path;

  @Option(
      names = "--most",
      paramLabel = "N",
      converter = Converters.Count.class,
      defaultValue = "1000",
      description =
          "How many damaged places are named, the others counted (default: ${DEFAULT-VALUE}).")
  private int most;

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
    CacheInspection found = CacheInspection.of(cache, cache.kind(), Depth.BLOCKS, progress);
    progress.end();
    PrintWriter out = spec.commandLine().getOut();
    List<Damage> damages = found.damages();
    damages.stream().limit(most).forEach(damage -> out.println("DAMAGED  " + damage));
    if (damages.size() > most) {
      out.printf(Locale.ROOT, "and %,d more (--most)%n", damages.size() - most);
    }
    out.println(summary(cache, found));
    if (!damages.isEmpty()) {
      out.println("A cache that starts on it drops what is damaged: those blocks are misses.");
    }
    out.flush();
    return damages.isEmpty() ? 0 : StoppedCache.DAMAGED;
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
            new ByteSize(bytes),
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
    return records == 0 ? read + ": the cache is empty" : read + ": all right";
  }
}
