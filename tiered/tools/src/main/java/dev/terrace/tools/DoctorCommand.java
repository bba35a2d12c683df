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
package dev.terrace.tools;

import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Finding.Severity;
import dev.terrace.tools.doctor.Examination;
import dev.terrace.tools.doctor.UnreadableConfException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code doctor}: tells before a restart whether a region server would start, and be good. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Checks a region server's configuration before a restart: settings, memory, directories and"
          + " their file systems, HBase's own settings, versions. Changes nothing, but has bash run"
          + " hbase-env.sh, as each command of HBase does."
    },
    footerHeading = "%n",
    footer = {
      "Run it on the region server's machine, as its user. Exit value: 0 if all is right; 1 if"
          + " there are questions, or something could be better; 2 if the region server would not"
          + " start, DIR cannot be read, or an option is wrong."
    })
public final class DoctorCommand implements Callable<Integer> {

  private static final int WARNED = 1;
  private static final int FATAL = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      required = true,
      description = "The folder with hbase-site.xml and hbase-env.sh.")
  private Path conf;

  @Option(
      names = "--hbase",
      paramLabel = "DIR",
      description =
          "HBase's folder, with its jars in lib (default: HBASE_HOME, or the folder above that of"
              + " --conf).")
  private Path hbase;

  @Override
  public Integer call() {
    try {
      Examination examination = Examination.of(conf.toAbsolutePath(), Optional.ofNullable(hbase));
      print(examination);
      return examination.count(Severity.ERROR) > 0
          ? FATAL
          : examination.findings().isEmpty() ? 0 : WARNED;
    } catch (UnreadableConfException e) {
      spec.commandLine().getErr().println(spec.qualifiedName() + ": " + e.getMessage());
      return FATAL;
    }
  }

  private void print(Examination examination) {
    PrintWriter out = spec.commandLine().getOut();
    examination.facts().forEach((name, fact) -> out.printf(Locale.ROOT, "%-14s %s%n", name, fact));
    for (Finding finding : examination.findings()) {
      out.println();
      out.printf(Locale.ROOT, "%-9s%s%n", finding.severity(), finding.what());
      out.printf(Locale.ROOT, "%-9s%s%n", "  why", finding.why());
      out.printf(Locale.ROOT, "%-9s%s%n", "  do", finding.remedy());
    }
    out.println();
    out.println(summary(examination));
    out.flush();
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
            : "start" + (questions == 0 ? "" : ", if the answers are right"));
  }

  private static String counted(long number, String noun) {
    return (number == 0 ? "no" : Long.toString(number)) + " " + noun + (number == 1 ? "" : "s");
  }
}
