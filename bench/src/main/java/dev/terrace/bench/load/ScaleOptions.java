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
package dev.terrace.bench.load;

import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultOptions;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunPlaces;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of a command that measures real servers side by side. */
public final class ScaleOptions {

  @Option(
      names = "--scale",
      paramLabel = "SCALE",
      defaultValue = "small",
      description =
          "how large data and caches are: small, medium or large (default: ${DEFAULT-VALUE})")
  private String scale;

  @Option(names = "--rounds", paramLabel = "N", description = "how often servers take turns")
  private Integer rounds;

  @Option(names = "--seconds", paramLabel = "N", description = "how long each run is")
  private Integer seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description =
          "seconds that a server warms up at most; it ends when it has compiled nearly all")
  private Integer warmUp;

  @Option(names = "--rows", paramLabel = "N", description = "rows of a table, of 1,000 bytes each")
  private Long rows;

  @Mixin private RunPlaces places;
  @Mixin private ResultOptions output = new ResultOptions();

  /** Returns where things lie. */
  public RunPlaces places() {
    return places;
  }

  /**
   * Returns the scale that was named, with what other options change of it.
   *
   * @throws IllegalArgumentException if an option is wrong; the message names it
   */
  public Scale scale(List<Scale> known) {
    Scale named = named("--scale", scale, known, Scale::name);
    return new Scale(
        named.name(),
        rows != null ? rows : named.rows(),
        named.sizes(),
        rounds != null ? rounds : named.rounds(),
        seconds != null ? Duration.ofSeconds(seconds) : named.time(),
        warmUp != null ? Duration.ofSeconds(warmUp) : named.warmUp());
  }

  /**
   * Returns those that were named, in the order of {@code all}, or all when none was.
   *
   * @throws IllegalArgumentException if one is not known; the message names the option
   */
  public static <T> List<T> chosen(
      String option, List<String> names, List<T> all, Function<T, String> name) {
    List<T> wanted = names.stream().map(word -> named(option, word.strip(), all, name)).toList();
    return all.stream().filter(one -> names.isEmpty() || wanted.contains(one)).toList();
  }

  private static <T> T named(String option, String word, List<T> all, Function<T, String> name) {
    return all.stream()
        .filter(one -> name.apply(one).equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    option
                        + ": '"
                        + word
                        + "' is none of "
                        + all.stream().map(name).collect(Collectors.joining(", "))));
  }

  /**
   * Prints the machine, and notes in a result what was measured with.
   *
   * @param about what was measured, and how to read it
   */
  public Result begin(
      String name,
      String title,
      String about,
      Scale chosen,
      RunPlaces.Parents parents,
      CommandSpec spec) {
    Machine machine = new Machine();
    ResultOptions.printHead(machine, spec.commandLine().getOut());
    return new Result(name, title, about, machine, spec.commandLine())
        .setting("scale", chosen.name())
        .setting("rounds", chosen.rounds())
        .setting("secondsPerRun", chosen.time().toSeconds())
        .setting("warmUpSecondsAtMost", chosen.warmUp().toSeconds())
        .setting("rows", chosen.rows())
        .setting("valueBytes", 1_000)
        .setting("heapBytes", chosen.sizes().heap().bytes())
        .setting("pmemDirectory", parents.pmem().toString())
        .setting("ssdDirectory", parents.ssd().toString());
  }

  /**
   * Prints and writes a result.
   *
   * @param withTables whether its tables were not printed yet
   * @throws RunFailure if it cannot be written
   */
  public void end(Result result, boolean withTables, PrintWriter out) throws RunFailure {
    try {
      if (withTables) {
        output.finish(result, out);
      } else {
        Target.print(result.targets(), out);
        output.write(result, out);
      }
    } catch (IOException e) {
      throw new RunFailure("cannot write the results (" + e + "); use --json", e);
    }
  }
}
