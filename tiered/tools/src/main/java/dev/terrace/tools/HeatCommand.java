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
import dev.terrace.hbase.settings.TextTable;
import dev.terrace.hbase.warm.list.HeatList;
import dev.terrace.hbase.warm.list.HeatList.Mark;
import dev.terrace.hbase.warm.list.HeatList.OfFile;
import dev.terrace.hbase.warm.list.HeatList.OtherVersionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heat}: shows a region's list of heat. */
@Command(
    name = "heat",
    mixinStandardHelpOptions = true,
    description = {
      "Shows which blocks a server had cached of a region: the list that it wrote for the next one."
          + " Changes nothing.",
      "From HDFS: hdfs dfs -cat /hbase/data/NAMESPACE/TABLE/REGION/.terrace-heat | ... heat -"
    },
    footerHeading = "%n",
    footer = {
      "Exit value: 0; 1 if the list is damaged; 2 if there is none, it may not be read, or an"
          + " option is wrong; 3 if another version of Terrace wrote it."
    })
public final class HeatCommand implements Callable<Integer> {

  private static final String STANDARD_INPUT = "-";
  private static final String FILE_NAME = ".terrace-heat";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      description = "The file .terrace-heat, its region's folder, or - for the standard input.")
  private String path;

  @Option(
      names = "--most",
      paramLabel = "N",
      converter = VerifyCommand.Count.class,
      defaultValue = "20",
      description = "Lists at most N files, the hottest first (default: ${DEFAULT-VALUE}).")
  private int most;

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

  @Override
  public Integer call() {
    try {
      print(HeatList.decoded(bytes()));
      return 0;
    } catch (OtherVersionException e) {
      return complain("was written by another version of Terrace: " + e.getMessage(), 3);
    } catch (NoSuchFileException e) {
      return complain("does not exist: no server wrote a list of the region", 2);
    } catch (ListException e) {
      return complain("cannot be read: " + e.getMessage(), 2);
    } catch (IOException e) {
      return complain(
          "is damaged: " + e.getMessage() + "; servers leave it out, and write a new one", 1);
    }
  }

  /** The list cannot be read, whatever it has. */
  private static final class ListException extends IOException {

    private static final long serialVersionUID = 1L;

    ListException(IOException cause) {
      super(cause.toString(), cause);
    }
  }

  private byte[] bytes() throws IOException {
    Path file = Path.of(path);
    boolean isInput = path.equals(STANDARD_INPUT);
    try (InputStream in =
        isInput
            ? System.in
            : Files.newInputStream(Files.isDirectory(file) ? file.resolve(FILE_NAME) : file)) {
      return in.readNBytes(HeatList.MOST_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw new ListException(e);
    }
  }

  private void print(HeatList list) {
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
            .sorted(Comparator.comparingLong(HeatCommand::heat).reversed())
            .limit(most)
            .toList();
    hottest.forEach(file -> files.add(sum(Sum.NONE, file, -1).cells(file.file())));

    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%s: %,d blocks of %,d files, written at %s%n%n%s%n%s",
        path,
        list.blocks(),
        list.files().size(),
        Instant.ofEpochMilli(list.writtenMillis()),
        tiers,
        files);
    if (hottest.size() < list.files().size()) {
      out.printf(Locale.ROOT, "and %,d more (--most)%n", list.files().size() - hottest.size());
    }
    out.flush();
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

  private int complain(String reason, int exitValue) {
    spec.commandLine().getErr().println(spec.qualifiedName() + ": " + path + " " + reason);
    return exitValue;
  }
}
