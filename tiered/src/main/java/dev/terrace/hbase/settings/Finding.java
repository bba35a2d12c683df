// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

/**
 * An actual or possible problem with a start.
 *
 * @param severity whether the region server starts all the same
 * @param what the setting, path or version, and its problem
 * @param why the consequence
 * @param remedy what to set or to do
 */
public record Finding(Severity severity, String what, String why, String remedy) {

  /** How bad a finding is. */
  public enum Severity {
    /** The region server does not start, or not with Terrace. */
    ERROR,
    /** It starts, and the operating system kills it once it takes the memory that it may take. */
    KILLED,
    /** It starts without a path. */
    OUT,
    /** Only the operator knows whether it starts. */
    QUESTION,
    /** It starts, and is not as good as it could be. */
    WARNING
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /** The finding as one log line. */
  public String message() {
    return what + ": " + remedy;
  }
}
