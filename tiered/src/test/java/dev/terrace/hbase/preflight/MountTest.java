// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which file system a path is on, and what that means for a tier. */
class MountTest {

  private static final Path PATH = Path.of("/mnt/a");
  private static final Mount DISK = new Mount("ext4", "/dev/nvme1n1", false);
  private static final Mount MEMORY = new Mount("tmpfs", "tmpfs", false);

  private static List<String> ofPmem(Mount mount, boolean isOnDax) {
    Findings findings = new Findings();
    PathCheck.checkMount(PATH, mount, true, isOnDax, findings);
    return what(findings);
  }

  private static List<String> ofSsd(Mount mount) {
    Findings findings = new Findings();
    PathCheck.checkMount(PATH, mount, false, false, findings);
    return what(findings);
  }

  private static List<String> what(List<Finding> findings) {
    assertThat(findings).allMatch(finding -> !finding.isError());
    return findings.stream().map(Finding::what).toList();
  }

  @Test
  void aPmemPathWantsDaxOrMemory() {
    assertThat(ofPmem(MEMORY, false)).isEmpty();
    assertThat(ofPmem(DISK, true)).isEmpty();
    assertThat(ofPmem(DISK, false))
        .singleElement()
        .asString()
        .startsWith("/mnt/a is on ext4 without DAX");
  }

  @Test
  void anSsdPathWantsADiskOfItsOwn() {
    assertThat(ofSsd(DISK)).isEmpty();
    assertThat(ofSsd(MEMORY)).containsExactly("/mnt/a is on tmpfs, which is memory");
    assertThat(ofSsd(new Mount("ext4", "/dev/nvme0n1p1", true)))
        .containsExactly("/mnt/a is on the root file system");
  }

  @ParameterizedTest
  @CsvSource({"nfs4, host:/export", "fuse.sshfs, host:"})
  void noTierWantsANetwork(String type, String source) {
    Mount mount = new Mount(type, source, false);

    assertThat(ofSsd(mount))
        .containsExactly("/mnt/a is on " + type + ", which is not a local file system");
    assertThat(ofPmem(mount, false)).hasSize(2);
  }

  @Test
  void aPathOfThisSystemHasOne(@TempDir Path folder) throws IOException {
    Mount mount = Mount.of(folder);

    assertThat(mount.type()).isEqualTo(Files.getFileStore(folder).type());
    assertThat(mount.source()).isEqualTo(Files.getFileStore(folder).name());
    assertThat(Mount.of(Path.of("/")).isRoot()).isTrue();
  }
}
