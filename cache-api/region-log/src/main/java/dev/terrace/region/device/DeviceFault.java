// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.nio.file.AccessDeniedException;
import java.util.Optional;

/** What is wrong with a device, for an operator: its name, what it means, and what to do. */
public enum DeviceFault {
  ENOSPC(
      28,
      "No space left on device",
      "the file system has no space left",
      "delete what else is there, or give the tier a smaller size, which works live"),
  EDQUOT(
      122,
      "Disk quota exceeded",
      "the quota of the server's user is used up",
      "raise the quota, or give the tier a smaller size, which works live"),
  EROFS(
      30,
      "Read-only file system",
      "the file system is read-only, as it becomes after an error of the disk",
      "see dmesg; take the path out of the tier, unmount, fsck or replace the disk, and mount it"),
  EIO(
      5,
      "Input/output error",
      "the disk or its connection fails",
      "see dmesg and the disk's SMART values; replace the disk if it goes on"),
  EUCLEAN(
      117,
      "Structure needs cleaning",
      "the file system is damaged",
      "see dmesg; take the path out of the tier, unmount, fsck, and mount it"),
  /** Before the one whose text is the beginning of its own. */
  ENXIO(
      6,
      "No such device or address",
      "the disk is gone",
      "see dmesg; connect the disk again, or replace it"),
  ENODEV(
      19, "No such device", "the disk is gone", "see dmesg; connect the disk again, or replace it"),
  EACCES(
      13,
      "Permission denied",
      "the server's user may not do this there",
      "give the path to the server's user (chown -R)"),
  EMFILE(
      24,
      "Too many open files",
      "the server has no file descriptors left",
      "raise its limit (ulimit -n, LimitNOFILE)"),
  /** It makes no progress. */
  HANG(
      0,
      "",
      "the disk does not answer",
      "see dmesg, and whether the file system is frozen (fsfreeze -u ends that); replace the disk if"
          + " it goes on"),
  /** It is in service, and readers gave up. */
  SLOW(
      0,
      "",
      "reads take too long",
      "see what else uses the disk (iostat -x), and whether it fails (dmesg)"),
  /** Its path is another's, or nobody's. */
  LOST(
      0,
      "",
      "the path is not this server's any more",
      "find out what deleted, moved or covered the folder, and put it back; if it is gone, remove the"
          + " path from hbase.terrace.ssd.paths (or pmem.paths) and run update_config, then add it and"
          + " run update_config again: it begins empty, without a restart"),
  /** It could not be opened. */
  UNOPENED(
      0,
      "",
      "the path could not be opened",
      "mend that; the path is tried again every few seconds, and what is on it is kept"),
  /** An access to mapped memory failed: it is broken, or cut short, or without space. */
  MEMORY(
      0,
      "",
      "an access to the mapped file failed",
      "see dmesg, and whether the file was cut or its space is used up"),
  /** Any other. */
  OTHER(0, "", "not known to Terrace", "see dmesg");

  private final int error;
  private final String english;
  private final String meaning;
  private final String remedy;

  DeviceFault(int error, String english, String meaning, String remedy) {
    this.error = error;
    this.english = english;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** The fault that an exception, or one of its causes, tells of. */
  public static DeviceFault of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InternalError) {
        return MEMORY;
      }
      if (cause instanceof AccessDeniedException) {
        return EACCES;
      }
      String message = String.valueOf(cause.getMessage());
      for (int i = 0; i < LocalTexts.ALL.length; i++) {
        if (values()[i].error != 0
            && (message.contains(LocalTexts.ALL[i]) || message.contains(values()[i].english))) {
          return values()[i];
        }
      }
    }
    return OTHER;
  }

  /** What an exception adds to it: nothing if it is known. */
  String details(Exception cause) {
    return this == OTHER ? cause.toString() : "";
  }

  /** Whether the file system refuses the server more space. */
  boolean isLackOfSpace() {
    return this == ENOSPC || this == EDQUOT;
  }

  /** Whether it may hide a lack of space. */
  boolean mayBeLackOfSpace() {
    return this == MEMORY || this == OTHER;
  }

  /** Its error number; 0 if it has none. */
  int error() {
    return error;
  }

  /**
   * What it means, and what to do.
   *
   * @param details more about it; empty for none
   */
  public String advice(String details) {
    return (error == 0 ? "" : name() + ", ")
        + meaning
        + (details.isEmpty() ? "" : " (" + details + ")")
        + ". To do: "
        + remedy;
  }

  /** The error numbers' texts in the language of this process, by ordinal. */
  private static final class LocalTexts {

    static final String[] ALL = new String[DeviceFault.values().length];

    static {
      Optional<LibC> libC = LibC.load();
      for (DeviceFault fault : DeviceFault.values()) {
        ALL[fault.ordinal()] = libC.map(c -> c.text(fault.error)).orElse(fault.english);
      }
    }
  }
}
