// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.io.SyncFailedException;
import java.nio.file.AccessDeniedException;

/** A fault of a device as an operator sees it: its name, its meaning and the remedy. */
public enum DeviceFault {
  ENOSPC(
      28,
      "the file system has no space left",
      "delete other files there, or make the tier smaller (update_config)"),
  EDQUOT(
      122,
      "the quota of the server's user is used up",
      "raise the quota, or make the tier smaller (update_config)"),
  EROFS(
      30,
      "the file system is read-only, usually after a disk error",
      "check dmesg; remove the path from the tier (update_config), umount, fsck -f or replace the"
          + " disk, mount it, and add the path again"),
  EIO(
      5,
      "the disk or its connection fails",
      "check dmesg and the disk's SMART values (smartctl); if errors continue, remove the path from"
          + " the tier (update_config), umount, fsck -f or replace the disk, mount it, and add the"
          + " path again"),
  EUCLEAN(
      117,
      "the file system is corrupt",
      "check dmesg; remove the path from the tier (update_config), umount, fsck -f, mount it, and"
          + " add the path again"),
  /** Must precede ENODEV, whose text is a prefix of this one's. */
  ENXIO(6, "the disk is gone", "check dmesg; reconnect the disk, or replace it"),
  ENODEV(19, "the disk is gone", "check dmesg; reconnect the disk, or replace it"),
  EACCES(
      13,
      "the server's user lacks permission",
      "give the path to the server's user (chown -R); if it has it already, find out what else denies"
          + " it, such as SELinux (ausearch -m avc) or AppArmor (dmesg)"),
  EMFILE(24, "the server has no file descriptors left", "raise its limit (ulimit -n, LimitNOFILE)"),
  /** The device makes no progress. */
  HANG(
      "the disk does not respond",
      "check dmesg, and whether the file system is frozen (fsfreeze -u thaws it); replace the disk"
          + " if it keeps hanging"),
  /** The device is in service, but readers gave up. */
  SLOW(
      "reads take too long",
      "check what else uses the disk (iostat -x), and whether it is failing (dmesg); a healthy disk"
          + " is overloaded: give the tier more disks"),
  /** The device is in service, but bytes there are wrong. */
  DAMAGE(
      "cached blocks or regions are corrupt, or cannot be read",
      "stop the server, run inspect --verify on the path, and replace the device if it has damage"),
  /** The path belongs to another server, or to none. */
  LOST(
      "the path no longer belongs to this server",
      "find out what deleted, moved or mounted over the folder, and restore it; if it is gone, remove"
          + " the path from hbase.terrace.ssd.paths (or pmem.paths) and run update_config, then add it"
          + " and run update_config again: it starts empty, without a restart"),
  UNOPENED(
      "the path could not be opened",
      "fix this; the path is retried every few seconds, and its contents are kept"),
  /** Mapped memory is broken, its file was truncated, or it lacks space. */
  MEMORY(
      "an access to the mapped file failed",
      "check dmesg, and whether the file was truncated or its file system is full"),
  OTHER("an error that Terrace does not know", "check dmesg");

  /** The error number; 0 if there is none. */
  final int error;

  private final String meaning;
  private final String remedy;

  /** The text of the error number in exceptions of this process; null if there is none. */
  private final String text;

  DeviceFault(String meaning, String remedy) {
    this(0, meaning, remedy);
  }

  DeviceFault(int error, String meaning, String remedy) {
    this.error = error;
    this.meaning = meaning;
    this.remedy = remedy;
    this.text = error == 0 ? null : LibC.load().map(c -> c.text(error)).orElse(null);
  }

  /** The fault that an exception or one of its causes reports. */
  public static DeviceFault of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InternalError) {
        return MEMORY;
      }
      if (cause instanceof AccessDeniedException) {
        return EACCES;
      }
      if (cause instanceof SyncFailedException) {
        // It has no text of an error number.
        return EIO;
      }
      for (DeviceFault fault : values()) {
        if (fault.text != null && String.valueOf(cause.getMessage()).contains(fault.text)) {
          return fault;
        }
      }
    }
    return OTHER;
  }

  /** The details that an exception adds; empty if the fault is a known one. */
  String details(Exception cause) {
    return this == OTHER ? cause.toString() : "";
  }

  public String remedy() {
    return remedy;
  }

  /** Whether the file system refuses the server more space. */
  boolean isLackOfSpace() {
    return this == ENOSPC || this == EDQUOT;
  }

  /** What the fault means, with details if there are any, and what to do. */
  public String advice(String details) {
    return (error == 0 ? "" : name() + ", ")
        + meaning
        + (details.isEmpty() ? "" : " (" + details + ")")
        + ". To do: "
        + remedy;
  }
}
