// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.preflight.Mounts.Mount;
import dev.terrace.hbase.settings.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which file system a path is on, and what that means for a tier. */
class MountsTest {

  private static final List<String> LIST =
      List.of(
          "21 1 259:1 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p1 rw,errors=remount-ro",
          "30 21 0:25 / /dev/shm rw,nosuid - tmpfs tmpfs rw,size=1024k",
          "31 21 259:5 / /mnt/pmem0 rw,relatime shared:5 - xfs /dev/pmem0 rw,attr2,dax=always",
          "32 21 259:6 / /mnt/pmem1 rw,relatime,dax - ext4 /dev/pmem1 rw",
          "33 21 259:7 / /mnt/pmem2 rw master:3 propagate_from:2 - xfs /dev/pmem2 rw,dax=never",
          "34 21 0:50 / /mnt/with\\040blank rw - nfs4 host:/export rw,vers=4.2",
          "35 21 0:51 / /mnt/user rw - fuse.sshfs host: rw",
          "36 21 259:8 / /mnt/nvme0 rw - ext4 /dev/nvme1n1 rw",
          "37 21 259:9 / /mnt/nvme0 rw - xfs /dev/nvme2n1 rw",
          "no line of a mount");

  private static Mount mount(String path) throws IOException {
    return Mounts.of(LIST).of(Path.of(path));
  }

  private static List<String> what(List<Finding> findings) {
    assertThat(findings).allMatch(finding -> !finding.isError());
    return findings.stream().map(Finding::what).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "/mnt/pmem0/hbase, /dev/pmem0",
    "/mnt/pmem00/hbase, /dev/nvme0n1p1",
    "'/mnt/with blank/hbase', host:/export",
    "/mnt/nvme0/hbase, /dev/nvme2n1",
    "/mnt, /dev/nvme0n1p1"
  })
  void theNearestAndLastMountHasAPath(String path, String source) throws IOException {
    assertThat(mount(path).source()).isEqualTo(source);
  }

  @Test
  void aPmemPathWantsDaxOrMemory() throws IOException {
    for (String good : List.of("/mnt/pmem0/a", "/mnt/pmem1/a", "/dev/shm/a")) {
      assertThat(PathCheck.ofPmem(Path.of(good), mount(good))).as(good).isEmpty();
    }
    assertThat(what(PathCheck.ofPmem(Path.of("/mnt/pmem2/a"), mount("/mnt/pmem2/a"))))
        .containsExactly("/mnt/pmem2/a is on xfs without DAX");
  }

  @Test
  void anSsdPathWantsADiskOfItsOwn() throws IOException {
    assertThat(PathCheck.ofSsd(Path.of("/mnt/nvme0/a"), mount("/mnt/nvme0/a"))).isEmpty();
    assertThat(what(PathCheck.ofSsd(Path.of("/dev/shm/a"), mount("/dev/shm/a"))))
        .containsExactly("/dev/shm/a is on tmpfs, which is memory");
    assertThat(what(PathCheck.ofSsd(Path.of("/mnt/nvme9/a"), mount("/mnt/nvme9/a"))))
        .containsExactly("/mnt/nvme9/a is on the root file system");
  }

  @ParameterizedTest
  @CsvSource({"/mnt/with blank/a, nfs4", "/mnt/user/a, fuse.sshfs"})
  void noTierWantsANetwork(String path, String type) throws IOException {
    assertThat(what(PathCheck.ofSsd(Path.of(path), mount(path))))
        .containsExactly(path + " is on " + type + ", which is no local file system");
    assertThat(what(PathCheck.ofPmem(Path.of(path), mount(path)))).hasSize(2);
  }

  @Test
  void thisSystemsListIsReadAndWithoutOneTheJdkIsAsked(@TempDir Path folder) throws IOException {
    String type = Files.getFileStore(folder).type();

    assertThat(Mounts.ofThisSystem().of(folder).type()).isEqualTo(type);
    assertThat(Mounts.of(List.of()).of(folder).type()).isEqualTo(type);
  }
}
