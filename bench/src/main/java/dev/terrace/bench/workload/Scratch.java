// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;

/**
 * Directories for caches in files; {@link #close} removes them and their contents. Two system
 * properties name their parents, so that forked benchmarks agree with the command that started
 * them.
 */
public final class Scratch implements AutoCloseable {

  /** The parent of files read through the page cache; by default the temporary directory. */
  public static final String FILE_PARENT_PROPERTY = "terrace.bench.file.dir";

  /**
   * The parent of mapped files; by default {@code /dev/shm}, which is memory that looks like a file
   * system, or the temporary directory where that is missing.
   */
  public static final String PMEM_PARENT_PROPERTY = "terrace.bench.pmem.dir";

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private final Path fileDirectory;
  private final Path pmemDirectory;
  private final Thread atExit = new Thread(this::deleteAtExit, "terrace-bench-scratch");

  private Scratch(Path fileDirectory, Path pmemDirectory) {
    this.fileDirectory = fileDirectory;
    this.pmemDirectory = pmemDirectory;
  }

  /** Creates two new directories under the configured parents; Ctrl-C removes them too. */
  public static Scratch create() throws IOException {
    Scratch scratch =
        new Scratch(
            Files.createTempDirectory(fileParent(), "terrace-bench-"),
            Files.createTempDirectory(pmemParent(), "terrace-bench-"));
    Runtime.getRuntime().addShutdownHook(scratch.atExit);
    return scratch;
  }

  public static Path fileParent() {
    return Path.of(System.getProperty(FILE_PARENT_PROPERTY, System.getProperty("java.io.tmpdir")));
  }

  public static Path pmemParent() {
    String configured = System.getProperty(PMEM_PARENT_PROPERTY);
    if (configured != null) {
      return Path.of(configured);
    }
    return Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : fileParent();
  }

  public Path fileDirectory() {
    return fileDirectory;
  }

  public Path pmemDirectory() {
    return pmemDirectory;
  }

  @Override
  public void close() throws IOException {
    Runtime.getRuntime().removeShutdownHook(atExit);
    FileUtils.deleteDirectory(fileDirectory.toFile());
    FileUtils.deleteDirectory(pmemDirectory.toFile());
  }

  private void deleteAtExit() {
    boolean isFileGone = FileUtils.deleteQuietly(fileDirectory.toFile());
    boolean isPmemGone = FileUtils.deleteQuietly(pmemDirectory.toFile());
    if (!isFileGone || !isPmemGone) {
      System.err.printf("Could not remove %s and %s%n", fileDirectory, pmemDirectory);
    }
  }
}
