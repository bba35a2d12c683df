// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.nio.file.AccessDeniedException;

/** What is wrong with a device, for an operator: its name, what it means, and what to do. */
public enum DeviceFault {
  ENOSPC(
      "No space left on device",
      "the file system has no space left",
      "delete what else is there, or give the tier a smaller size, which works live"),
  EDQUOT(
      "Disk quota exceeded",
      "the quota of the server's user is used up",
      "raise the quota, or give the tier a smaller size, which works live"),
  EROFS(
      "Read-only file system",
      "the file system is read-only, as it becomes after an error of the disk",
      "see dmesg; take the path out of the tier, unmount, fsck or replace the disk, and mount it"),
  EIO(
      "Input/output error",
      "the disk or its connection fails",
      "see dmesg and the disk's SMART values; replace the disk if it goes on"),
  EUCLEAN(
      "Structure needs cleaning",
      "the file system is damaged",
      "see dmesg; take the path out of the tier, unmount, fsck, and mount it"),
  /** Before the one whose text is the beginning of its own. */
  ENXIO(
      "No such device or address",
      "the disk is gone",
      "see dmesg; connect the disk again, or replace it"),
  ENODEV("No such device", "the disk is gone", "see dmesg; connect the disk again, or replace it"),
  EACCES(
      "Permission denied",
      "the server's user may not do this there",
      "give the path to the server's user (chown -R)"),
  EMFILE(
      "Too many open files",
      "the server has no file descriptors left",
      "raise its limit (ulimit -n, LimitNOFILE)"),
  /** It makes no progress. */
  HANG(
      "",
      "the disk does not answer",
      "see dmesg, and whether the file system is frozen (fsfreeze -u ends that); replace the disk if"
          + " it goes on"),
  /** It is in service, and readers gave up. */
  SLOW(
      "",
      "reads take too long",
      "see what else uses the disk (iostat -x), and whether it fails (dmesg)"),
  /** Its path is another's, or nobody's. */
  LOST(
      "",
      "the path is not this server's any more",
      "find out what deleted, moved or covered the folder, and put it back; if it is gone, remove the"
          + " path from hbase.terrace.ssd.paths (or pmem.paths) and run update_config, then add it and"
          + " run update_config again: it begins empty, without a restart"),
  /** It could not be opened. */
  UNOPENED(
      "",
      "the path could not be opened",
      "mend that; the path is tried again every few seconds, and what is on it is kept"),
  /** An access to mapped memory failed: it is broken, or cut short, or without space. */
  MEMORY(
      "",
      "an access to the mapped file failed",
      "see dmesg, and whether the file was cut or its space is used up"),
  /** Any other. */
  OTHER("", "not known to Terrace", "see dmesg");

  private final String text;
  private final String meaning;
  private final String remedy;

  DeviceFault(String text, String meaning, String remedy) {
    this.text = text;
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
      for (DeviceFault fault : values()) {
        if (fault.hasNumber() && message.contains(fault.text)) {
          return fault;
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

  /** Whether it is an error of the system, with a number and this text. */
  private boolean hasNumber() {
    return !text.isEmpty();
  }

  /** The system's text in English; empty if it is no error of the system. */
  String text() {
    return text;
  }

  /**
   * What it means, and what to do.
   *
   * @param details more about it; empty for none
   */
  public String advice(String details) {
    return (hasNumber() ? name() + ", " : "")
        + meaning
        + (details.isEmpty() ? "" : " (" + details + ")")
        + ". To do: "
        + remedy;
  }
}
