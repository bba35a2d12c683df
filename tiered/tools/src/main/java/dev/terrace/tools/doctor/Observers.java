// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import dev.terrace.hbase.preflight.EntryKeys;
import dev.terrace.hbase.settings.SiteValues;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The coprocessors of the site file for which hits are copied to the heap, in all tables. */
final class Observers {

  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String LABELS = HBASE + "security.visibility.VisibilityController";
  private static final String LABEL_SERVICE = "hbase.regionserver.visibility.label.service.class";

  private Observers() {}

  /** As a fact about the start; empty without such a coprocessor. */
  static String fact(SiteValues site) {
    List<String> loaded =
        Stream.of("hbase.coprocessor.region.classes", "hbase.coprocessor.user.region.classes")
            .flatMap(key -> EntryKeys.classes(site, key).stream())
            .toList();
    Stream<String> services =
        loaded.contains(LABELS) ? EntryKeys.classes(site, LABEL_SERVICE).stream() : Stream.empty();
    String foreign =
        Stream.concat(loaded.stream(), services)
            .filter(name -> !name.startsWith(HBASE))
            .distinct()
            .collect(Collectors.joining(", "));
    return foreign.isEmpty()
        ? ""
        : "of each hit of a data block, if it observes regions: " + foreign;
  }
}
