// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.hbase.settings.Finding.Severity;
import java.util.ArrayList;

/** The findings of checks, in the order in which they were added. */
public final class Findings extends ArrayList<Finding> {

  private static final long serialVersionUID = 1L;

  /** Adds a finding. */
  public void add(Severity severity, String what, String why, String remedy) {
    add(new Finding(severity, what, why, remedy));
  }

  /** Adds a finding that prevents the region server from starting. */
  public void error(String what, String why, String remedy) {
    add(Severity.ERROR, what, why, remedy);
  }

  /** Adds a finding that may be an error; only the operator can tell. */
  public void question(String what, String why, String remedy) {
    add(Severity.QUESTION, what, why, remedy);
  }

  /** Adds a finding with which the region server can start. */
  public void warning(String what, String why, String remedy) {
    add(Severity.WARNING, what, why, remedy);
  }
}
