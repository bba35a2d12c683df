// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.region.folder.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real directories, looked at before a start. */
class PathCheckTest {

  private static final ServerProcess ROOMY =
      new ServerProcess(Long.MAX_VALUE, Long.MAX_VALUE, 0, Long.MAX_VALUE, "2.6.4");
  private static final long ANOTHER_USER = 65_534;

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void make() throws IOException {
    path = Files.createDirectory(folder.resolve("path"));
  }

  private static StartChecks check(String tier, String size, Path... paths) {
    Configuration conf =
        OpenCaches.conf(
            "hbase.terrace.create.paths",
            "false",
            "hbase.terrace." + tier + ".size",
            size,
            "hbase.terrace." + tier + ".paths",
            String.join(",", Arrays.stream(paths).map(Path::toString).toList()));
    return new StartChecks(new SiteValues(conf), ROOMY);
  }

  /** What keeps the region server from its start, or the path out of it. */
  private static Finding errorOf(Path path) {
    StartChecks checks = check("ssd", "16m", path);
    List<Finding> errors =
        Stream.concat(
                checks.errors().stream(),
                checks.warnings().stream()
                    .filter(finding -> finding.severity() == Finding.Severity.OUT))
            .toList();
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0).why()).isNotBlank();
    return errors.get(0);
  }

  private void assertUntouched() {
    assertThat(path).isEmptyDirectory();
  }

  @Test
  void aGoodPathIsNoErrorAndStaysAsItIs() {
    assertThat(check("ssd", "16m", path).errors()).isEmpty();
    assertUntouched();
  }

  @Test
  void anAbsentPathMayBeADiskThatIsNotMounted() {
    Path absent = folder.resolve("absent");

    Finding error = errorOf(absent);

    assertThat(error.what()).endsWith(absent + ", which does not exist");
    assertThat(error.why()).contains("fill the disk under");
    assertThat(error.remedy()).startsWith("mount its disk");
    assertThat(absent).doesNotExist();
  }

  @Test
  void itsOwnDirectoryMayBeWritableByOthersUntilTheStart() throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxr-x"));

    assertThat(check("ssd", "32m", path).errors()).isEmpty();
    assertUntouched();
  }

  @Test
  void theRegionServerStartsWithoutAPathThatIsSick() throws IOException {
    Files.createFile(path.resolve("terrace"));
    Path absent = folder.resolve("absent");

    StartChecks checks = check("ssd", "32m", path, absent);

    assertThat(checks.errors())
        .extracting(Finding::what)
        .containsExactly("hbase.terrace.ssd.paths names " + absent + ", which does not exist");
    assertThat(checks.warnings())
        .filteredOn(finding -> finding.severity() == Finding.Severity.OUT)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.what()).contains(path.toString(), "is not a directory");
              assertThat(finding.remedy()).contains("remove it");
            });
  }

  @Test
  void itsFolderBelongsToTheRegionServer() throws IOException {
    assumeTrue((int) Files.getAttribute(path, "unix:uid") == 0, "chown needs root");
    Path terrace = Files.createDirectory(path.resolve("terrace"));
    Files.setAttribute(terrace, "unix:uid", (int) ANOTHER_USER);

    assertThat(errorOf(path).what()).contains("path=" + terrace, "(uid 65534)", "runs as uid 0");

    Files.setAttribute(path, "unix:uid", (int) ANOTHER_USER);
    assertThat(errorOf(path).what()).contains("path=" + path, "could replace the cache");
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertThat(errorOf(file).what()).endsWith("is not a directory");
  }

  @Test
  void aFolderOfTheCacheThatIsALinkIsRefused() throws IOException {
    Files.createSymbolicLink(path.resolve("terrace"), folder);

    assertThat(errorOf(path).what()).endsWith("is not a directory or is a link");
  }

  @Test
  void aTierThatDoesNotFitIsAnError() {
    assertThat(check("ssd", "15t", path).errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.what()).contains("too large for", "15 TB are needed there");
              assertThat(error.remedy()).contains("set hbase.terrace.ssd.size to ");
            });
  }

  @Test
  void aDiskThatIsReadOnlyIsAnError() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 64 << 20)) {
      disk.setReadOnly(true);

      assertThat(errorOf(disk.directory()).what())
          .contains("path=" + disk.directory().resolve("terrace") + " cannot be created")
          .contains("read-only file system");
    }
  }

  @Test
  void allPathsAreCheckedAtOnce() {
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");

    assertThat(check("pmem", "32m", one, two).errors())
        .extracting(Finding::what)
        .containsExactly(
            "hbase.terrace.pmem.paths names " + one + ", which does not exist",
            "hbase.terrace.pmem.paths names " + two + ", which does not exist");
  }

  @Test
  void twoPathsOnOneFileSystemShareItsDisk() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));

    assertThat(check("ssd", "32m", path, other).warnings())
        .extracting(Finding::what)
        .contains(path + ", " + other + " are on one file system");
    assertThat(check("ssd", "32m", path).warnings())
        .extracting(Finding::what)
        .noneMatch(what -> what.contains("are on one file system"));
  }

  @Test
  void memoryServesAsPmemAndIsNoSsd() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(
        Files.isWritable(memory) && Files.getFileStore(memory).type().equals("tmpfs"),
        "/dev/shm is a tmpfs");
    Path inMemory = Files.createTempDirectory(memory, "terrace");
    try {
      assertThat(check("pmem", "16m", inMemory).warnings()).isEmpty();
      assertThat(check("ssd", "16m", inMemory).warnings())
          .extracting(Finding::what)
          .containsExactly(inMemory + " is on tmpfs, which is memory");
    } finally {
      Files.delete(inMemory);
    }
  }
}
