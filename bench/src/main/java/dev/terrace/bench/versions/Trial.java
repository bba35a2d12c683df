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
package dev.terrace.bench.versions;

import dev.terrace.bench.server.RunFailure;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lays out the HBase of a combination and runs the programs over it, one after the other. */
final class Trial {

  private final Path home;
  private final Path work;
  private final Combination combination;
  private final Path hbase;

  /**
   * A trial.
   *
   * @param home top folder of the project
   * @param work takes HBase, logs, and what the programs write
   */
  Trial(Path home, Path work, Combination combination) {
    this.home = home;
    this.work = work;
    this.combination = combination;
    this.hbase = work.resolve("hbase").resolve(combination.home());
  }

  /** Runs all programs; returns what the table has of each. */
  List<String> run() throws IOException {
    layOut();
    List<String> cells = new ArrayList<>();
    for (Program program : programs()) {
      Path log = log(program.name());
      boolean isRight = execute(program.command(), log);
      String output = Files.readString(log);
      Optional<String> cannotStart = Program.cannotStart(output);
      if (cannotStart.isPresent()) {
        return List.of(cannotStart.get(), "-", "-");
      }
      Optional<String> cell = isRight ? program.cell(output) : Optional.empty();
      cells.add(cell.orElseThrow(() -> failure(program.name(), log)));
    }
    return cells;
  }

  private void layOut() throws IOException {
    List<String> maven =
        new ArrayList<>(
            List.of(
                home.resolve("mvnw").toString(),
                "-q",
                "-f",
                "bench/hbase-dist",
                "package",
                "-Dhbase.version=" + combination.hbase(),
                "-Dhbase.dist=" + hbase));
    if (!combination.hadoop().isEmpty()) {
      maven.add("-Dhadoop.version=" + combination.hadoop());
    }
    Path log = log("layout");
    ProcessBuilder process = new ProcessBuilder(maven);
    if (!succeeds(process, log)) {
      throw failure("laying it out", log);
    }
  }

  private List<Program> programs() {
    Path data = work.resolve("data");
    String terrace = home.resolve("bin/terrace").toString();
    return List.of(
        new Program(
            "demo",
            List.of(
                terrace,
                "demo",
                "--rows=60000",
                "--seconds=5",
                "--dram=16m",
                "--peer=none",
                "--store=none",
                "--dir=" + data,
                "--pmem=" + data + ":32m",
                "--ssd=" + data + ":128m"),
            Pattern.compile("All ([\\d,]+) rows that were read and checked had the right values"),
            "%s rows right"),
        new Program(
            "drop-in",
            dropInTests(),
            Pattern.compile("\\[ +(\\d+) tests successful +\\]\\s+\\[ +0 tests failed +\\]"),
            "%s tests passed"),
        new Program(
            "fire",
            List.of(
                terrace,
                "fire",
                "--seconds=25",
                "--seed=4",
                "--servers=2",
                "--dir=" + data,
                "--pmem=" + data),
            Pattern.compile(
                "(?s)faults +([\\d,]+) .*rows checked +([\\d,]+)\\s"
                    + ".*wrong, lost, foreign rows +0\\s.*failed client operations +0\\s"),
            "%s faults, %s rows right"));
  }

  /** The integration tests of all ways in, over the drop-in jar and these jars of HBase. */
  private List<String> dropInTests() {
    Path target = home.resolve("bench/target");
    String classPath =
        Stream.of(
                target.resolve("test-classes"),
                target.resolve("classes"),
                target.resolve("lib/*"),
                hbase.resolve("test-lib/*"),
                hbase.resolve("lib/*"))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    return List.of(
        combination.javaHome().resolve("bin/java").toString(),
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "-Dterrace.home=" + home,
        "-Dterrace.hbase=" + hbase,
        "-cp",
        classPath,
        "org.junit.platform.console.ConsoleLauncher",
        "execute",
        "--disable-banner",
        "--disable-ansi-colors",
        "--select-class=dev.terrace.bench.it.ClassAndCoprocessorIT",
        "--select-class=dev.terrace.bench.it.ExternalAndForkedIT");
  }

  private Path log(String name) throws IOException {
    Path folder = Files.createDirectories(work.resolve("logs"));
    return folder.resolve(combination.home() + "-java-" + combination.java() + "-" + name + ".txt");
  }

  private boolean execute(List<String> command, Path log) throws IOException {
    Files.createDirectories(work.resolve("data"));
    ProcessBuilder process = new ProcessBuilder(command);
    process.environment().put("JAVA_HOME", combination.javaHome().toString());
    process.environment().put("TERRACE_HBASE", hbase.toString());
    return succeeds(process, log);
  }

  private boolean succeeds(ProcessBuilder builder, Path log) throws IOException {
    Process process =
        builder
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      return process.waitFor() == 0;
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("a trial was interrupted").initCause(e);
    }
  }

  private RunFailure failure(String program, Path log) {
    return new RunFailure(combination + ": " + program + " failed; see " + log);
  }
}
