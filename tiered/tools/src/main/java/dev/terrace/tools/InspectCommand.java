// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.folder.ReadOnlyDevice.UnreadableCacheException;
import dev.terrace.region.folder.UnusablePathException;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.Depth;
import java.io.IOException;
import java.nio.file.Path;
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
  static final int DAMAGED = 1;

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
        return VerifyReport.print(spec, cache, maxDamaged);
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
}
