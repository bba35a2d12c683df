// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Another JVM that opens a folder, and keeps it open until its input ends. */
final class OtherProcess implements AutoCloseable {

  private static final String OPENED = "opened";

  private final Process process;
  private final String said;

  private OtherProcess(Process process, String said) {
    this.process = process;
    this.said = said;
  }

  /** Starts one, and waits until it has the folder open or has failed to. */
  static OtherProcess open(Path path) throws IOException {
    return open(path, true);
  }

  /**
   * The same.
   *
   * @param withJna whether it can call the C library
   */
  static OtherProcess open(Path path, boolean withJna) throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-Djna.nosys=true",
                "-Djna.nounpack=" + !withJna,
                "-cp",
                System.getProperty("java.class.path"),
                OtherProcess.class.getName(),
                path.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
    return new OtherProcess(process, reader.readLine());
  }

  boolean hasIt() {
    return OPENED.equals(said);
  }

  /** Why it could not open the folder. */
  String said() {
    return said;
  }

  long pid() {
    return process.pid();
  }

  /** Ends it with signal 9. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    awaitEnd();
  }

  private void awaitEnd() {
    assertThat(process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join().isAlive())
        .isFalse();
  }

  /** Runs in the other process. */
  public static void main(String[] args) throws IOException {
    CacheSpec spec =
        new CacheSpec(
            Path.of(args[0]),
            DeviceKind.SSD,
            new DeviceGeometry(DeviceGeometry.MIN_REGION_BYTES, 4),
            "",
            Optional.of(new TestMasterKey(1, true)));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (CacheFolder folder = CacheFolder.open(spec, RegionsSpace.SPARSE, Clock.systemUTC())) {
      out.println(folder.superblock().generation() > 0 ? OPENED : "");
      System.in.transferTo(PrintStream.nullOutputStream());
    } catch (UnusablePathException e) {
      out.println(e.getMessage());
    }
  }
}
