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

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command below {@code terrace bench}: prints the machine, measures, and prints and writes the
 * result. Used by one thread.
 */
public abstract class Benchmark implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ResultOptions output = new ResultOptions();

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises.")
  private boolean check;

  private final String title;
  private final String about;

  /**
   * A benchmark.
   *
   * @param title of its results
   * @param about how it measures, and how to read the figures
   */
  protected Benchmark(String title, String about) {
    this.title = title;
    this.about = about;
  }

  /**
   * Fails with {@link #require}, or an IllegalArgumentException, on a wrong option, before anything
   * is printed.
   */
  protected abstract void checkOptions();

  /** Whether there are promises to check. */
  protected boolean promises() {
    return true;
  }

  /** Whether a missed promise makes the exit value 1: with {@code --check}, unless overridden. */
  protected boolean isChecked() {
    return check;
  }

  /** Measures, and adds figures, promises and settings to the result. */
  protected abstract void measure(Result result) throws IOException, InterruptedException;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    try {
      require(!check || promises(), "--check: bench " + name() + " promises nothing");
      checkOptions();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    Machine machine = new Machine();
    ResultOptions.printHead(machine, out());
    String titleOfRun = title + " (bench " + name() + ")";
    Result result = new Result(name(), titleOfRun, about, machine, spec.commandLine());
    measure(result);
    out().println();
    show(result);
    output.write(result, out());
    return Target.areMet(result.targets()) || !isChecked() ? 0 : 1;
  }

  /** Prints a result, all of it unless overridden. */
  protected void show(Result result) {
    ResultText.print(result, out());
  }

  /** The word on the command line. */
  protected final String name() {
    return spec.name();
  }

  /** The options of the output. */
  protected final ResultOptions output() {
    return output;
  }

  /** The terminal. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Prints a line, as of {@link String#format}. */
  protected final void print(String format, Object... arguments) {
    out().printf(Locale.ROOT, format + "%n", arguments);
    out().flush();
  }

  /** Fails unless a condition holds; the complaint names the option and its value. */
  protected final void require(boolean condition, String complaint) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), complaint);
    }
  }

  /** Fails unless the value of an option is in a range, ends included. */
  protected final void requireRange(String option, long value, long least, long most) {
    require(
        value >= least && value <= most,
        String.format(Locale.ROOT, "%s=%d: must be from %,d to %,d", option, value, least, most));
  }
}
