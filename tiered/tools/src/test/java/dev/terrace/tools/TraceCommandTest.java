// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Calls the operations of a bean in another process. */
final class TraceCommandTest {

  private static Process server;

  private final CommandRun run = new CommandRun();

  @BeforeAll
  static void startServer() throws IOException {
    server = start("dev.terrace:type=BlockCache,name=1");
  }

  @AfterAll
  static void stopServer() throws InterruptedException {
    server.destroyForcibly().waitFor();
  }

  private static Process start(String name) throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                BeanProcess.class.getName(),
                name)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.getInputStream().read()).as("its bean is there").isEqualTo('!');
    return process;
  }

  private int trace(Object... options) {
    return run.run("trace", "--pid=" + server.pid(), options);
  }

  @Test
  void startsAndStopsARecording() {
    assertThat(trace("--stop")).isZero();
    assertThat(run.out()).isEqualTo("stopped\n");
    assertThat(trace("--start", "/var/tmp", "--sample-one-in", 16, "--max-seconds", 60)).isZero();
    assertThat(run.out()).isEqualTo("/var/tmp 1 in 16, 1024 MB, 60 s, tables: false\n");
    assertThat(trace()).isZero();
    assertThat(run.out()).isEqualTo("/var/tmp 1 in 16, 1024 MB, 60 s, tables: false\n");

    assertThat(trace("--start", "x", "--max-megabytes", 7, "--with-tables")).isZero();
    assertThat(run.out())
        .isEqualTo(Path.of("x").toAbsolutePath() + " 1 in 1, 7 MB, 3600 s, tables: true\n");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void tellsWhatTheServerRefuses() {
    assertThat(trace("--start", "/absent")).isEqualTo(2);
    assertThat(run.err()).isEqualTo("terrace trace: /absent is not a directory\n");
    assertThat(trace("--start", "/var/tmp", "--sample-one-in", 0)).isEqualTo(2);
    assertThat(run.err()).isEqualTo("terrace trace: oneIn=0\n");
    assertThat(run.out()).isEmpty();
    assertThat(trace("--start", "/var/tmp", "--stop")).isEqualTo(2);
    assertThat(run.err()).contains("mutually exclusive");
  }

  @Test
  void namesAProcessWithoutACacheAndOneThatIsGone() throws Exception {
    Process other = start("dev.terrace:type=Other");
    try {
      assertThat(run.run("trace", "--pid=" + other.pid())).isEqualTo(2);
      assertThat(run.err())
          .isEqualTo("terrace trace: process " + other.pid() + " has no cache of Terrace\n");
    } finally {
      other.destroyForcibly().waitFor();
    }
    assertThat(run.run("trace", "--pid=" + other.pid())).isEqualTo(2);
    assertThat(run.err())
        .startsWith("terrace trace: process " + other.pid() + " cannot be reached: ");
  }

  /** What the command needs of Terrace's bean. */
  public interface RecorderMXBean {

    String getTrace();

    String startTrace(String folder, int oneIn, int megabytes, int seconds, boolean tables)
        throws IOException;

    String stopTrace();
  }

  /** Notes what it is told. */
  static final class Recorder implements RecorderMXBean {

    private String trace = "none";

    @Override
    public String getTrace() {
      return trace;
    }

    @Override
    public String startTrace(String folder, int oneIn, int megabytes, int seconds, boolean tables)
        throws IOException {
      if (folder.equals("/absent")) {
        throw new NoSuchFileException(folder + " is not a directory");
      }
      if (oneIn == 0) {
        throw new IllegalArgumentException("oneIn=0");
      }
      trace =
          folder
              + " 1 in "
              + oneIn
              + ", "
              + megabytes
              + " MB, "
              + seconds
              + " s, tables: "
              + tables;
      return folder;
    }

    @Override
    public String stopTrace() {
      trace = "stopped";
      return trace;
    }
  }
}
