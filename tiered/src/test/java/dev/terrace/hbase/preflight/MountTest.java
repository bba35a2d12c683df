// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Findings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which file system a path is on, and what that means for a tier. */
class MountTest {

  private static final Path PATH = Path.of("/mnt/a");
  private static final String DISK = "ext4";
  private static final String MEMORY = "tmpfs";

  private static List<String> ofPmem(String type, boolean isOnDax) {
    Findings findings = new Findings();
    PathCheck.checkMount(PATH, type, false, true, isOnDax, findings);
    return what(findings);
  }

  private static List<String> ofSsd(String type, boolean isRoot) {
    Findings findings = new Findings();
    PathCheck.checkMount(PATH, type, isRoot, false, false, findings);
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
    assertThat(ofSsd(DISK, false)).isEmpty();
    assertThat(ofSsd(MEMORY, false)).containsExactly("/mnt/a is on tmpfs, which is memory");
    assertThat(ofSsd(DISK, true)).containsExactly("/mnt/a is on the root file system");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nfs4", "fuse.sshfs"})
  void noTierWantsANetwork(String type) {
    assertThat(ofSsd(type, false))
        .containsExactly("/mnt/a is on " + type + ", which is not a local file system");
    assertThat(ofPmem(type, false)).hasSize(2);
  }
}
