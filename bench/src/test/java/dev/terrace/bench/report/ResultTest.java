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
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class ResultTest {

  @Command(name = "terrace", subcommands = Bench.class)
  private static final class Root {}

  @Command(name = "bench")
  private static final class Bench {
    @Option(names = "--file")
    private String file;
  }

  @Test
  void tellsWhatWasTypedBelowTheProgram() {
    CommandLine root = new CommandLine(new Root());
    root.parseArgs("bench", "--file=a,b/c-1.json");

    assertThat(Result.commandLine(root.getSubcommands().get("bench")))
        .isEqualTo("bin/terrace bench --file=a,b/c-1.json");
  }

  @Test
  void quotesForTheShell() {
    Bench command = new Bench();
    CommandLine bench = new CommandLine(command);
    bench.parseArgs("--file", "it's a file");

    assertThat(command.file).isEqualTo("it's a file");
    assertThat(Result.commandLine(bench)).isEqualTo("bin/terrace bench --file 'it'\\''s a file'");
  }
}
