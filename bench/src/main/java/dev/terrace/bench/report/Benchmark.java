// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.server.HBaseInstall;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that measures, most of them below {@code terrace bench}: prints the machine, measures,
 * prints the result and writes it. Exits with 1 if a value was wrong, the run could not complete,
 * or a checked promise was missed, and with 2 if an option was wrong. Used by one thread.
 */
public abstract class Benchmark implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Where the results go (default: a file in bench/target/reports).")
  private Path json;

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
   * Checks the options before anything is printed. Fails on a wrong one, by {@link #require} or
   * with an IllegalArgumentException.
   */
  protected abstract void checkOptions();

  /** Whether a missed promise makes the exit value 1: with {@code --check}, unless overridden. */
  protected boolean isChecked() {
    return check;
  }

  /** Whether other load on the machine affects the figures. */
  protected boolean isDisturbedByOthers() {
    return true;
  }

  /** Measures, and adds figures, promises and settings to the result. */
  protected abstract void measure(Result result) throws IOException, InterruptedException;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    String line = spec.qualifiedName().replace("terrace ", "");
    try {
      checkOptions();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    Machine machine = new Machine();
    out().println(machine.oneLine());
    machine.busyWarning().filter(text -> isDisturbedByOthers()).ifPresent(out()::println);
    out().flush();
    Result result =
        new Result(name(), title + " (" + line + ")", about, machine, spec.commandLine());
    measure(result);
    out().println();
    show(result);
    Path file = file(name());
    result.write(file);
    print("Written: %s", file);
    return Target.allMet(result.targets()) || !isChecked() ? 0 : 1;
  }

  /** Measures with these options as part of another benchmark, and adds to its result. */
  public final void measureFor(Benchmark whole, Result result, String... options)
      throws IOException, InterruptedException {
    new CommandLine(this).setOut(whole.out()).parseArgs(options);
    checkOptions();
    measure(result);
  }

  /** Prints a result, in full unless overridden. */
  protected void show(Result result) throws IOException {
    ResultText.print(result, out());
  }

  protected final String name() {
    return spec.name();
  }

  protected final Path file(String command) throws IOException {
    return json != null ? json : reports().resolve(command + ".json");
  }

  public static Path reports() throws IOException {
    return HBaseInstall.home().resolve("bench/target/reports");
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Prints a line, formatted as by {@link String#format}. */
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

  /** Prints each completed step, with the time left if the other steps take as long. */
  public static final class Progress {

    private final PrintWriter out;
    private final long startNanos = System.nanoTime();
    private final int steps;
    private int ended;

    public Progress(int steps, PrintWriter out) {
      this.steps = steps;
      this.out = out;
    }

    /** Prints the outcome of the current step, which ends. */
    public void done(String outcome) {
      ended++;
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      String left = inWords(seconds / ended * (steps - ended));
      out.printf(Locale.ROOT, "%7s left  %s%n", left, outcome);
      out.flush();
    }

    /** A duration in words. */
    public static String inWords(double seconds) {
      return Math.round(seconds) < 100
          ? Math.round(seconds) + " s"
          : Math.round(seconds / 60) + " min";
    }
  }
}
