// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects what is wrong with the settings of a configuration. */
final class Problems {

  private static final String WHY = "Terrace does not guess what a wrong setting means.";

  private final SiteValues site;
  private final List<Finding> found = new ArrayList<>();
  private final Set<Setting<?>> faulty = new HashSet<>();

  Problems(SiteValues site) {
    this.site = site;
  }

  /** Where the values are from. */
  SiteValues site() {
    return site;
  }

  /** The trimmed value of a setting; the default if it is absent or empty. */
  String text(Setting<?> setting) {
    return site.get(setting.key(), setting.defaultValue());
  }

  /** Adds an error about a setting's value. */
  void add(Setting<?> setting, String what, String remedy) {
    add(setting, what, WHY, remedy);
  }

  /** The same, with a reason of its own. */
  void add(Setting<?> setting, String what, String why, String remedy) {
    faulty.add(setting);
    add(setting.key() + "=" + text(setting) + " " + what, why, remedy);
  }

  void add(String what, String why, String remedy) {
    found.add(Finding.error(what, why, remedy));
  }

  boolean areOf(Setting<?> setting) {
    return faulty.contains(setting);
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** All of them. */
  List<Finding> all() {
    return List.copyOf(found);
  }
}
