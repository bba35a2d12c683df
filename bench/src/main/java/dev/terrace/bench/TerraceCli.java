// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import dev.terrace.bench.cases.CasesCommand;
import dev.terrace.bench.demo.DemoCommand;
import dev.terrace.bench.fire.FireCommand;
import dev.terrace.bench.jmh.HitCommand;
import dev.terrace.bench.jmh.PutCommand;
import dev.terrace.bench.macro.MacroCommand;
import dev.terrace.bench.macro.ScanCommand;
import dev.terrace.bench.promises.DayCommand;
import dev.terrace.bench.replay.ReplayCommand;
import dev.terrace.bench.report.ReportCommand;
import dev.terrace.hbase.status.TerraceStatus;
import dev.terrace.tools.CacheTools;
import dev.terrace.tools.DoctorCommand;
import dev.terrace.tools.InspectCommand;
import dev.terrace.tools.PlanCommand;
import dev.terrace.tools.TraceCommand;
import dev.terrace.tools.WhyCommand;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The {@code terrace} command; {@code bin/terrace} builds what it needs and starts it. */
@Command(
    name = "terrace",
    scope = CommandLine.ScopeType.INHERIT,
    versionProvider = TerraceCli.Version.class,
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description =
        "Terrace, a tiered block cache for Apache HBase: see it at work, measure it, and look into"
            + " it.",
    subcommands = {
      DemoCommand.class,
      TerraceCli.BenchCommand.class,
      FireCommand.class,
      DoctorCommand.class,
      InspectCommand.class,
      WhyCommand.class,
      TraceCommand.class,
      ReplayCommand.class,
      PlanCommand.class,
      ReportCommand.class
    })
public final class TerraceCli {

  /** The version that the build gave the block cache. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"Terrace " + TerraceStatus.version()};
    }
  }

  private TerraceCli() {}

  /** Runs a subcommand and exits with its value. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments.length == 0 ? new String[] {"--help"} : arguments));
  }

  /** Returns the parser of arguments, which runs a subcommand. */
  static CommandLine commandLine() {
    CommandLine command = CacheTools.commandLine(new TerraceCli());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExecutionExceptionHandler(
        (exception, running, words) -> {
          if (exception instanceof IOException) {
            String name = running.getCommandSpec().qualifiedName();
            running.getErr().println(name + ": " + exception.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
          }
          throw exception;
        });
    return command;
  }

  /** {@code terrace bench}: the benchmarks. */
  @Command(
      name = "bench",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND",
      subcommands = {
        HitCommand.class,
        PutCommand.class,
        GuardCommand.class,
        DayCommand.class,
        MacroCommand.class,
        ScanCommand.class,
        CasesCommand.class
      },
      description = "Benchmarks: Terrace beside HBase's own caches.")
  static final class BenchCommand {}
}
