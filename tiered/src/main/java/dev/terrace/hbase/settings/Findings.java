// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.hbase.settings.Finding.Severity;
import java.util.ArrayList;

/** The findings of checks, in the order in which they were added. */
public final class Findings extends ArrayList<Finding> {

  private static final long serialVersionUID = 1L;
  private static final Texts TEXTS = new Texts(Findings.class, "findings.properties");

  /**
   * Adds a finding whose texts are in {@code findings.properties}.
   *
   * @param values of the texts
   */
  public void add(Severity severity, String id, Object... values) {
    add(
        new Finding(
            severity,
            TEXTS.get(id + ".what", values),
            TEXTS.get(id + ".why", values),
            TEXTS.get(id + ".do", values)));
  }

  public void error(String id, Object... values) {
    add(Severity.ERROR, id, values);
  }

  public void warning(String id, Object... values) {
    add(Severity.WARNING, id, values);
  }
}
