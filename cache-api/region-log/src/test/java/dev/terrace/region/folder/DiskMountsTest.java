// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which mounts keep the disk of a path. */
class DiskMountsTest {

  private static final String ROOT =
      "44 1 254:0 / / rw,relatime shared:1 master:1 - ext4 /dev/vda rw";
  private static final String DISK =
      "66 44 259:1 / /mnt/nvme0 ro,relatime shared:24 master:2 - ext4 /dev/nvme0n1 rw";
  private static final String OTHER =
      "68 44 259:2 / /mnt/nvme0a rw,relatime shared:26 master:3 - ext4 /dev/nvme1n1 rw";
  private static final String BOUND =
      "67 66 259:1 /hbase /mnt/nvme0/hbase rw,relatime shared:25 master:2 - ext4 /dev/nvme0n1 rw";

  private static DiskMounts of(String path, String... lines) {
    return DiskMounts.of(Path.of(path), List.of(lines));
  }

  private static List<Path> paths(String... paths) {
    return List.of(paths).stream().map(Path::of).toList();
  }

  @Test
  void aDiskMountedOnceIsUnmountedThere() {
    DiskMounts disk = of("/mnt/nvme0/hbase", ROOT, DISK, OTHER);
    assertThat(disk).isEqualTo(new DiskMounts("259:1", paths("/mnt/nvme0")));
    assertThat(disk.howToFree())
        .startsWith("umount /mnt/nvme0; ")
        .contains("' 259:1 '")
        .doesNotContain("nsenter");
  }

  /** As in a unit of systemd with {@code ReadWritePaths=/mnt/nvme0/hbase}. */
  @Test
  void aMountOfThisNamespaceAloneIsUnmountedThere() {
    DiskMounts disk = of("/mnt/nvme0/hbase", ROOT, DISK, OTHER, BOUND);
    assertThat(disk.points()).isEqualTo(paths("/mnt/nvme0/hbase", "/mnt/nvme0"));
    assertThat(disk.howToFree())
        .startsWith(
            "nsenter -m -t "
                + ProcessHandle.current().pid()
                + " umount /mnt/nvme0/hbase; umount /mnt/nvme0; ");
  }

  @Test
  void theDiskOfTheSystemStaysMounted() {
    assertThat(of("/data/hbase", ROOT, DISK).howToFree())
        .contains("root file system")
        .doesNotContain("umount ");
  }

  @Test
  void twoMountsAtOnePlaceAreOne() {
    assertThat(of("/mnt/nvme0/hbase", ROOT, DISK, DISK).points()).isEqualTo(paths("/mnt/nvme0"));
  }

  @Test
  void theLastMountAtAPlaceCoversTheOthers() {
    String cover = DISK.replace("259:1", "259:7");
    assertThat(of("/mnt/nvme0/hbase", ROOT, DISK, cover).device()).isEqualTo("259:7");
  }

  @Test
  void namesMayHaveSpaces() {
    assertThat(of("/mnt/my disk/hbase", ROOT, DISK.replace("nvme0 ", "my\\040disk ")).points())
        .isEqualTo(paths("/mnt/my disk"));
  }

  @Test
  void theKernelsListIsRead(@TempDir Path folder) {
    DiskMounts disk = DiskMounts.of(folder.resolve("absent"));
    assertThat(disk.device()).matches("\\d+:\\d+");
    assertThat(disk.points()).isNotEmpty().allMatch(point -> Files.exists(point));
  }
}
