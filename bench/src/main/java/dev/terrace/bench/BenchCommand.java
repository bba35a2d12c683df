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
package dev.terrace.bench;

import dev.terrace.bench.cases.CasesCommand;
import dev.terrace.bench.jmh.HitCommand;
import dev.terrace.bench.jmh.PutCommand;
import dev.terrace.bench.macro.MacroCommand;
import dev.terrace.bench.macro.ScanCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
public final class BenchCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which benchmark? See the commands below.");
  }
}
