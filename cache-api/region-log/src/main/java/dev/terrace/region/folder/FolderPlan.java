// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The decision to keep, adapt or discard the contents of a folder that is opened. It never fails,
 * whatever the contents.
 *
 * @param next the superblock to write
 * @param isEmpty whether the folder is started empty
 * @param note why contents are not kept as they are; else empty
 */
record FolderPlan(Superblock next, boolean isEmpty, Optional<String> note) {

  private static final Path MACHINE_ID = Path.of("/etc/machine-id");

  /**
   * Decides on a folder.
   *
   * @param found the superblock of the folder, if there is one
   * @param regionsFileBytes the size of the regions file, if there is one
   * @param keyFault why its data key cannot be used; empty if it can, or none is wanted
   * @param fresh the superblock if it is started empty; it has the configuration
   */
  static FolderPlan of(
      Superblock.Reading found,
      OptionalLong regionsFileBytes,
      Optional<String> keyFault,
      Superblock fresh) {
    Optional<String> mismatch = mismatch(found, regionsFileBytes, fresh).or(() -> keyFault);
    if (mismatch.isPresent()) {
      boolean nothingThere = regionsFileBytes.isEmpty() && found.isAbsent();
      return new FolderPlan(
          fresh,
          true,
          nothingThere ? Optional.empty() : mismatch.map(why -> "started empty: " + why));
    }
    Superblock kept = found.superblock().orElseThrow();
    return new FolderPlan(
        kept.next(fresh.geometry(), fresh.openedMillis(), fresh.place()),
        false,
        adaptation(kept, regionsFileBytes.getAsLong(), fresh));
  }

  private static Optional<String> mismatch(
      Superblock.Reading found, OptionalLong regionsFileBytes, Superblock wanted) {
    if (found.superblock().isEmpty()) {
      return Optional.of(found.fault());
    }
    Superblock there = found.superblock().get();
    if (there.kind() != wanted.kind()) {
      return Optional.of(
          "it was created for " + there.kind() + ", but is configured for " + wanted.kind());
    }
    int regionBytes = there.geometry().regionBytes();
    if (regionBytes != wanted.geometry().regionBytes()) {
      return Optional.of(
          "its region size changes from %s to %s bytes"
              .formatted(regionBytes, wanted.geometry().regionBytes()));
    }
    if (!there.contents().equals(wanted.contents())) {
      return Optional.of(
          "its contents change from \"%s\" to \"%s\""
              .formatted(there.contents(), wanted.contents()));
    }
    if (regionsFileBytes.isEmpty()) {
      return Optional.of("its regions file is missing");
    }
    return Optional.empty();
  }

  private static Optional<String> adaptation(
      Superblock kept, long regionsFileBytes, Superblock fresh) {
    DeviceGeometry was = kept.geometry();
    DeviceGeometry wanted = fresh.geometry();
    List<String> notes = new ArrayList<>();
    if (kept.place() != 0 && kept.place() != fresh.place()) {
      notes.add(
          "it was last opened on another machine, device or folder; a copy and its original can both"
              + " be used");
    }
    if (regionsFileBytes < was.sizeBytes()) {
      notes.add(
          "its regions file was truncated to %s of %s bytes, the missing part is lost"
              .formatted(regionsFileBytes, was.sizeBytes()));
    }
    if (was.regions() != wanted.regions()) {
      String change = was.regions() < wanted.regions() ? "grown" : "shrunk";
      notes.add("%s from %s to %s regions".formatted(change, was.regions(), wanted.regions()));
    }
    return notes.isEmpty() ? Optional.empty() : Optional.of("kept: " + String.join("; ", notes));
  }

  /**
   * A number for where a folder lies: on which machine, and as which file of which device. A copy
   * of the folder is most unlikely to have the same; 0 if it is unknown.
   */
  static int place(Path folder) {
    return place(folder, MACHINE_ID);
  }

  static int place(Path folder, Path machineId) {
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
