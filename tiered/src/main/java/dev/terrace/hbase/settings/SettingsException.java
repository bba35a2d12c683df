// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Thrown for invalid settings. The message names each key, its value, and the remedy. */
public final class SettingsException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SettingsException.class);

  /** An error for everything that prevents a region server from starting. */
  public SettingsException(List<Finding> errors) {
    super(message(errors.stream().map(Finding::message).toList()));
  }

  /** An error that only the start itself reveals. */
  public SettingsException(String problem, Throwable cause) {
    super(problem, cause);
  }

  /** Logs that Terrace cannot start, and returns this exception. */
  public SettingsException logged() {
    LOG.error("Terrace cannot start: {}", getMessage());
    return this;
  }

  private static String message(List<String> problems) {
    return problems.size() == 1
        ? problems.get(0)
        : problems.size() + " settings are wrong:\n - " + String.join("\n - ", problems);
  }
}
