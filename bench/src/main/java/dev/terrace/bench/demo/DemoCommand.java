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
package dev.terrace.bench.demo;

import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerRun;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code terrace demo}: runs HBase with Terrace on this machine, reads through it, and compares.
 *
 * <p>Ends with 0 when every value was right and Terrace had hits, with 1 when not or when something
 * was in the way, and with 2 when an option was wrong.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Runs a real HBase with Terrace on this machine: loads a table, reads it, checks every"
            + " value, and does the same reads with HBase's own block cache.")
public final class DemoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private DemoOptions options;

  @Override
  public Integer call() {
    try {
      options.check();
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    try {
      HBaseInstall install = ServerRun.install();
      RunFolders folders = options.createFolders();
      folders.takeClientLog();
      new Demo(options, install, folders, spec.commandLine().getOut()).run();
      return CommandLine.ExitCode.OK;
    } catch (RunFailure e) {
      spec.commandLine().getErr().println("terrace demo: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }
}
