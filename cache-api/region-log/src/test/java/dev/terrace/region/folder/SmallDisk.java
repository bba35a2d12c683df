// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.api.Patience;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A file system of its own, which a test can fill. Tests that need one are skipped without root.
 */
public final class SmallDisk implements AutoCloseable {

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Mounts a tmpfs on a directory, or ends the test as skipped when that is not permitted. */
  public static SmallDisk mount(Path directory, long sizeBytes) throws IOException {
    return mount(directory, "tmpfs", "size=" + sizeBytes);
  }

  /** The same with any file system that needs no disk. */
  public static SmallDisk mount(Path directory, String type, String options) throws IOException {
    Files.createDirectories(directory);
    String said = run("mount", "-t", type, "-o", options, type, directory.toString());
    assumeTrue(said.isEmpty(), "a file system is mounted, which needs root: " + said);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    return new SmallDisk(directory);
  }

  /** The same with an ext4 in a file beside the directory. */
  public static SmallDisk ofImage(Path directory, long sizeBytes) throws IOException {
    Files.createDirectories(directory);
    Path image = directory.resolveSibling(directory.getFileName() + ".image");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(sizeBytes);
    }
    String made = run("mkfs.ext4", "-q", "-m", "0", image.toString());
    assumeTrue(made.isEmpty(), "a file system is made: " + made);
    String said = run("mount", "-o", "loop", image.toString(), directory.toString());
    assumeTrue(said.isEmpty(), "an image is mounted, which needs root: " + said);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    return new SmallDisk(directory);
  }

  /**
   * Covers a file with one of which each read fails, until the result is closed. Ends the test as
   * skipped when that is not permitted.
   */
  public static SmallDisk unreadable(Path file) throws IOException {
    // No memory is mapped at address 0, where this file begins.
    Path source = Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "mem");
    String said = run("mount", "--bind", source.toString(), file.toString());
    assumeTrue(said.isEmpty(), "a file is covered, which needs root: " + said);
    return new SmallDisk(file);
  }

  /**
   * Freezes it for some seconds, or ends the test as skipped when that is not permitted. Another
   * process does so, because this one may be stuck.
   *
   * @return ends when the file system is thawed
   */
  public Process freeze(Duration duration) throws IOException {
    String script = "fsfreeze -f \"$0\" && echo frozen && { sleep $1; fsfreeze -u \"$0\"; }";
    Process process =
        new ProcessBuilder(
                "sh", "-c", script, directory.toString(), Long.toString(duration.toSeconds()))
            .redirectErrorStream(true)
            .start();
    String said = process.inputReader(StandardCharsets.UTF_8).readLine();
    assumeTrue("frozen".equals(said), "a file system is frozen, which needs root: " + said);
    return process;
  }

  /** Where it is mounted. */
  public Path directory() {
    return directory;
  }

  /** What can still be written to it. */
  public long availableBytes() throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  /** Allows or forbids writing. */
  public void setReadOnly(boolean readOnly) throws IOException {
    assertThat(run("mount", "-o", readOnly ? "remount,ro" : "remount,rw", directory.toString()))
        .isEmpty();
  }

  /** Unmounts it, which fails if anything is open or mapped there; and mounts its image again. */
  public void remount() throws IOException {
    assertThat(run("umount", directory.toString())).isEmpty();
    Path image = directory.resolveSibling(directory.getFileName() + ".image");
    assertThat(run("mount", "-o", "loop", image.toString(), directory.toString())).isEmpty();
  }

  @Override
  public void close() throws IOException {
    // Mappings that nobody has collected yet hold it; it goes with the last of them.
    assertThat(run("umount", "-l", directory.toString())).isEmpty();
  }

  /** Returns what a command says if it fails. */
  private static String run(String... command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return e.toString();
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    return process.exitValue() == 0 ? "" : "exit value " + process.exitValue() + ": " + said;
  }
}
