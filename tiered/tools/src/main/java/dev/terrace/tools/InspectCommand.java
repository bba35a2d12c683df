// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.folder.UnusablePathException;
import dev.terrace.region.folder.UnusablePathException.UnreadableCacheException;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.Depth;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code inspect}: shows the contents of a stopped cache. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the contents of a PMem or SSD path: format, regions, and the blocks and files that a"
          + " restart would find. With --verify it reads and checks every block: its entry in the"
          + " region's table, its key and its checksums. Changes nothing."
    },
    footerHeading = "%n",
    footer = {
      "The cache must be stopped, or PATH a copy of it. Exit value: 0; 1 if the superblock or the"
          + " regions file is damaged, or with --verify any block; 2 if the cache is in use, or PATH"
          + " is not a cache or may not be read, or an option is wrong; 3 if another version of"
          + " Terrace wrote it."
    })
public final class InspectCommand implements Callable<Integer> {

  /** Exit value if something is damaged. */
  static final int DAMAGED = 1;

  /** Exit value if there is no cache, it may not be read, or it is in use. */
  private static final int REFUSED = 2;

  /** Exit value if another version of Terrace wrote the cache. */
  private static final int OTHER_FORMAT = 3;

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
      names = "--most",
      paramLabel = "N|all",
      converter = Limit.class,
      defaultValue = "1000",
      description =
          "With --verify, lists at most N damaged places, and counts the others (default:"
              + " ${DEFAULT-VALUE}).")
  private int most;

  /** A number of lines, or {@code all}. */
  static final class Limit implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      if (value.equalsIgnoreCase("all")) {
        return Integer.MAX_VALUE;
      }
      if (!value.matches("[0-9]{1,9}")) {
        throw new TypeConversionException("'" + value + "' must be a number, or all");
      }
      return Integer.valueOf(value);
    }
  }

  @Override
  public Integer call() {
    try (ReadOnlyDevice cache = ReadOnlyDevice.open(path)) {
      return verify ? VerifyReport.print(spec, cache, most) : print(cache);
    } catch (UnreadableCacheException e) {
      return complain(e.getMessage(), e.isOfOtherFormat() ? OTHER_FORMAT : DAMAGED);
    } catch (UnusablePathException e) {
      return complain(e.getMessage(), REFUSED);
    } catch (IOException e) {
      return complain("path=" + path + " cannot be read: " + e, REFUSED);
    }
  }

  private int print(ReadOnlyDevice cache) {
    PrintWriter out = spec.commandLine().getOut();
    CacheInspection found = new CacheInspection(cache, Depth.TABLES, (done, all) -> {});
    out.print(new InspectReport(cache, found, files, ZoneId.systemDefault()));
    out.flush();
    return 0;
  }

  private int complain(String message, int exitValue) {
    spec.commandLine().getErr().println(spec.qualifiedName() + ": " + message);
    return exitValue;
  }
}
