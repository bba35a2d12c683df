// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import dev.terrace.bench.cases.CasesCommand;
import dev.terrace.bench.jmh.HitCommand;
import dev.terrace.bench.jmh.PutCommand;
import dev.terrace.bench.macro.MacroCommand;
import dev.terrace.bench.macro.ScanCommand;
import picocli.CommandLine.Command;

/** {@code terrace bench}: the benchmarks. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      HitCommand.class,
      PutCommand.class,
      GuardCommand.class,
      MacroCommand.class,
      ScanCommand.class,
      CasesCommand.class
    },
    description = "Benchmarks: Terrace beside HBase's own caches.")
public final class BenchCommand {}
