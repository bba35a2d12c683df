// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.format.RecordLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Where a folder lies: on which machine, and as which file of which device. */
final class FolderPlace {

  private static final Path MACHINE_ID = Path.of("/etc/machine-id");

  private FolderPlace() {}

  /** A number that a copy of the folder is most unlikely to have; 0 if that is unknown. */
  static int of(Path folder) {
    return of(folder, MACHINE_ID);
  }

  static int of(Path folder, Path machineId) {
    try {
      // Many containers have no such file.
      String machine = Files.isReadable(machineId) ? Files.readString(machineId) : "";
      Object file = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
      ByteBuffer place = StandardCharsets.UTF_8.encode(machine + file);
      return RecordLayout.crc(place, 0, place.limit()) | 1;
    } catch (IOException e) {
      return 0;
    }
  }
}
