// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Finding.Severity;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * The program that {@code bin/hbase} runs for {@code doctor}, with the environment, the class path
 * and the configuration of a region server. Prints what it finds.
 */
public final class Doctor {

  /**
   * The exit values: nothing found, then the worst of the severities. A JVM that fails exits with
   * 1, so no gate may take that for a verdict.
   */
  public static final int WELL = 0;

  private static final int ERROR = 2;

  /** The largest exit value: that of the mildest severity. */
  public static final int WARNING = ERROR + Severity.WARNING.ordinal();

  /** Added to the exit value, because failing shells and JVMs also exit with small values. */
  public static final int DONE = 100;

  private Doctor() {}

  /**
   * Runs the checks.
   *
   * @param arguments the configuration folder, then the class path entries that a region server
   *     does not have
   */
  public static void main(String[] arguments) throws IOException {
    List<String> tools = List.of(arguments).subList(1, arguments.length);
    try (PrintWriter out =
            new PrintWriter(
                new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        ServerClasses classes = new ServerClasses(System.getProperty("java.class.path"), tools)) {
      setProperties(System.getenv());
      ServerJvm jvm =
          ServerJvm.of(System.getenv(), ManagementFactory.getRuntimeMXBean().getInputArguments());
      int value = examine(HBaseConfiguration::create, Path.of(arguments[0]), jvm, classes, out);
      out.flush();
      System.exit(DONE + value);
    }
  }

  /** The configuration may refer to variables that a region server has as {@code -D} options. */
  static void setProperties(Map<String, String> environment) {
    for (String option : ServerJvm.serverOptions(environment)) {
      if (option.startsWith("-D")) {
        String[] parts = option.substring(2).split("=", 2);
        System.setProperty(parts[0], parts.length == 1 ? "" : parts[1]);
      }
    }
  }

  /**
   * Examines a folder's configuration, prints what it finds, and returns the exit value.
   *
   * @param read reads the configuration
   */
  static int examine(
      Supplier<Configuration> read,
      Path folder,
      ServerJvm jvm,
      ServerClasses classes,
      PrintWriter out)
      throws IOException {
    Configuration conf;
    try {
      conf = read.get();
    } catch (RuntimeException e) {
      return unreadable(folder, e.getCause() == null ? e : e.getCause(), out);
    }
    Examination examination;
    try {
      examination = new Examination(conf, folder, jvm, classes);
    } catch (IllegalStateException e) {
      // A value in the configuration refers to itself.
      return unreadable(folder, e, out);
    }
    print(examination, out);
    // The worst findings are the first.
    return examination.findings().stream()
        .mapToInt(finding -> ERROR + finding.severity().ordinal())
        .findFirst()
        .orElse(WELL);
  }

  private static int unreadable(Path folder, Throwable cause, PrintWriter out) {
    String reason = String.valueOf(cause.getMessage()).replaceAll("\\s*\\n\\s*", " ");
    out.println("the configuration in " + folder + " cannot be read: " + reason);
    return ERROR;
  }

  private static void print(Examination examination, PrintWriter out) {
    examination.facts().forEach((name, fact) -> out.printf(Locale.ROOT, "%-14s %s%n", name, fact));
    for (Finding finding : examination.findings()) {
      out.println();
      out.printf(Locale.ROOT, "%-9s%s%n", finding.severity(), finding.what());
      out.printf(Locale.ROOT, "%-9s%s%n", "  why", finding.why());
      out.printf(Locale.ROOT, "%-9s%s%n", "  do", finding.remedy());
    }
    out.println();
    out.println(summary(examination));
  }

  private static String summary(Examination examination) {
    long errors = examination.count(Severity.ERROR);
    long out = examination.count(Severity.OUT);
    long questions = examination.count(Severity.QUESTION);
    return counted(errors, "error")
        + ", "
        + (out == 0 ? "" : counted(out, "path") + " out, ")
        + (questions == 0 ? "" : counted(questions, "question") + ", ")
        + counted(examination.count(Severity.WARNING), "warning")
        + ": the region server would "
        + (errors > 0
            ? "not start" + (examination.needsTerrace() ? "" : ", or start without Terrace")
            : "start"
                + (questions == 0 ? "" : ", if the questions are answered")
                + (examination.count(Severity.KILLED) == 0
                    ? ""
                    : ", and be killed once it takes its memory"));
  }

  private static String counted(long number, String noun) {
    return (number == 0 ? "no" : Long.toString(number)) + " " + noun + (number == 1 ? "" : "s");
  }
}
