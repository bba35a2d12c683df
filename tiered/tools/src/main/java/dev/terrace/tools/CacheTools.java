// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.tiered.Build;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands of the tools' jar: {@code java -jar terrace-tools-VERSION.jar inspect PATH}, {@code
 * doctor --conf DIR}, {@code plan TRACE}, {@code why --server HOST:PORT NAME}, or, with a JDK,
 * {@code trace --pid PID}.
 */
@Command(
    name = "terrace",
    scope = CommandLine.ScopeType.INHERIT,
    versionProvider = CacheTools.class,
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description = {
      "Inspects a PMem or SSD path of a stopped Terrace cache, checks a configuration before a"
          + " restart, records the block reads of a running region server, simulates other tier"
          + " sizes, or explains why something is not cached. Changes no file of HBase or of a cache,"
          + " and needs no HBase.",
      "Run it as the region server's user: java -jar terrace-tools-VERSION.jar inspect"
          + " PATH, doctor --conf DIR, trace --pid PID, plan TRACE, or why --server HOST:PORT NAME"
    },
    footerHeading = "%n",
    footer = {"Exit value: 0 if all is well. The help of each command lists its other values."},
    subcommands = {
      DoctorCommand.class,
      InspectCommand.class,
      PlanCommand.class,
      TraceCommand.class,
      WhyCommand.class
    })
public final class CacheTools implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = CacheTools.class.getPackage().getImplementationVersion();
    return new String[] {
      "Terrace " + (version == null ? "(not from a jar)" : version + Build.suffix(CacheTools.class))
    };
  }

  /**
   * A command line that reports a wrong option in one line; {@code bin/terrace} uses it, too.
   *
   * @param command an object whose class is annotated as a picocli command
   */
  public static CommandLine commandLine(Object command) {
    CommandLine line = new CommandLine(command);
    line.registerConverter(TraceInput.Size.class, TraceInput.Size::parse);
    // From JDK 22 on picocli takes every output for a terminal.
    line.setColorScheme(
        Help.defaultColorScheme(
            Boolean.getBoolean("terrace.terminal") ? Help.Ansi.AUTO : Help.Ansi.OFF));
    // Picocli's own handler prints the whole help after the error.
    line.setParameterExceptionHandler(
        (exception, words) -> {
          CommandSpec wrong = exception.getCommandLine().getCommandSpec();
          String help = " (help: " + wrong.qualifiedName() + " --help)";
          return ToolCommand.complain(wrong, exception.getMessage() + help);
        });
    return line;
  }

  /** Runs a command and exits with its value. */
  public static void main(String[] arguments) {
    System.exit(
        commandLine(new CacheTools())
            .execute(arguments.length == 0 ? new String[] {"--help"} : arguments));
  }
}
