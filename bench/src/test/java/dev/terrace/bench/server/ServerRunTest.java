// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.apache.commons.io.function.IOSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs without servers: what is left behind, and what is said. */
final class ServerRunTest {

  @TempDir Path parent;

  private RunFolders folders;
  private Path log;

  @BeforeEach
  void createFolders() throws Exception {
    folders = RunFolders.create("run-", new RunFolders.Parents(parent, parent, parent));
    Files.createDirectories(folders.data("server"));
    log = Files.writeString(folders.server("server").resolve("server.log"), "x");
  }

  private <R> R run(boolean keep, IOSupplier<R> body) throws RunFailure {
    return newRun(folders, keep).run(body);
  }

  private static ServerRun newRun(RunFolders folders, boolean keep) {
    HBaseInstall none = new HBaseInstall(List.of(), folders.work(), folders.work());
    return new ServerRun(none, folders, keep, line -> {});
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingIsLeftOfARunThatSucceedsUnlessItIsKept(boolean keep) throws Exception {
    assertThat(run(keep, () -> "done")).isEqualTo("done");

    assertThat(Files.exists(folders.data("server"))).isEqualTo(keep);
    assertThat(Files.exists(folders.work())).isEqualTo(keep);
  }

  private static IOSupplier<Void> failing(IOException failure) {
    return () -> {
      throw failure;
    };
  }

  @Test
  void logsStayOfARunThatFails() {
    assertThatThrownBy(() -> run(false, failing(new IOException("lost\nand more"))))
        .isInstanceOf(RunFailure.class)
        .hasMessage("lost");

    assertThat(folders.data("server")).doesNotExist();
    assertThat(log).exists();
  }

  @Test
  void whatWasWrongIsSaidAsItIs() {
    RunFailure wrong = new RunFailure("2 rows were wrong");

    assertThatThrownBy(() -> run(false, failing(wrong))).isSameAs(wrong);
  }

  @Test
  void nothingIsLeftOfAProcessThatIsEndedInItsRun() throws Exception {
    Path made = Files.createDirectory(parent.resolve("made"));
    Path output = parent.resolve("log");
    List<String> main = List.of(Runs.class.getName(), made.toString());
    JavaProcess process = new JavaProcess("run", output);
    process.launch(
        parent, JavaProcessTest.classPath(), List.of("-Xmx64m"), main, OptionalLong.empty());
    await().until(() -> Files.readString(output).contains("runs"));
    assertThat(made).isNotEmptyDirectory();

    process.stop(Patience.LIMIT);

    assertThat(made).isEmptyDirectory();
  }

  /** Begins a run in a directory and waits. */
  public static final class Runs {
    private Runs() {}

    public static void main(String[] arguments) throws Exception {
      Path parent = Path.of(arguments[0]);
      RunFolders folders =
          RunFolders.create("run-", new RunFolders.Parents(parent, parent, parent));
      Files.writeString(folders.work().resolve("client.log"), "x");
      newRun(folders, false).run(Runs::waitForever);
    }

    private static Void waitForever() throws IOException {
      System.out.println("runs");
      try {
        new CountDownLatch(1).await();
        return null;
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }
}
