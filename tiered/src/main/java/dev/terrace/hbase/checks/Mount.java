/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase.checks;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A mounted file system.
 *
 * @param point where it is mounted
 * @param type such as {@code ext4}
 * @param source such as {@code /dev/nvme0n1}
 * @param options such as {@code rw}
 */
public record Mount(Path point, String type, String source, Set<String> options) {

  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
  private static final Set<String> DAX = Set.of("dax", "dax=always", "dax=inode");
  private static final List<String> NETWORK =
      List.of(
          "nfs",
          "cifs",
          "smb",
          "9p",
          "ceph",
          "lustre",
          "gpfs",
          "beegfs",
          "glusterfs",
          "fuse",
          "afs");

  /** Whether files on it may be mapped with DAX. */
  public boolean isDax() {
    return options.stream().anyMatch(DAX::contains);
  }

  /** Whether its files lie in memory. */
  public boolean isMemory() {
    return MEMORY.contains(type);
  }

  /** Whether its files lie elsewhere, or behind a process. */
  boolean isNetwork() {
    return NETWORK.stream().anyMatch(type::startsWith);
  }

  /** Whether it is the file system of the operating system. */
  boolean isRoot() {
    return point.getNameCount() == 0;
  }
}
