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
package dev.terrace.bench.alarms;

import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code terrace alarms}: ends with 0 if each fault was told and cleared within its time, with 1 if
 * not.
 */
@Command(
    name = "alarms",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Makes each fault of a disk on a real region server that Prometheus watches with the rules"
            + " of docs/monitoring. Prints how long it takes until log, metric, alert and page tell"
            + " of it, and until all are clear after its end. Needs root, and 2 GB of memory.")
public final class AlarmsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--faults",
      split = ",",
      paramLabel = "NAME",
      description = "only these, by their names in the table, such as \"full,frozen\"")
  private List<String> faults = List.of();

  @Option(
      names = "--hold",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "how long a fault lasts at least, to count its lines in the log")
  private int holdSeconds;

  @Option(
      names = "--dir",
      paramLabel = "DIRECTORY",
      description = "for data, disks and logs (bench/target of the checkout)")
  private Path directory;

  @Option(names = "--keep", description = "leave data and logs where they are")
  private boolean keep;

  @Override
  public Integer call() throws IOException {
    Path work = HBaseInstall.workOr(directory);
    RunFolders folders = RunFolders.create("terrace-alarms-", work, List.of(), List.of());
    folders.takeClientLog();
    AlarmedServer server = new AlarmedServer(HBaseInstall.toRun(), folders);
    Thread cleanup = new Thread(server::close, "terrace-cleanup");
    Runtime.getRuntime().addShutdownHook(cleanup);
    boolean isRight;
    try {
      server.open();
      isRight = new Alarms(server, faults, holdSeconds, spec.commandLine().getOut()).run();
    } finally {
      Runtime.getRuntime().removeShutdownHook(cleanup);
      server.close();
    }
    if (isRight && !keep) {
      folders.deleteAll();
    }
    return isRight ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
