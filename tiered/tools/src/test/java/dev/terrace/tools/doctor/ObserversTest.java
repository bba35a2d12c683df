// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.settings.SiteValues;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ObserversTest {

  private static final String HBASE = "org.apache.hadoop.hbase.security.";
  private final Configuration conf = new Configuration(false);

  private String fact() {
    return Observers.fact(new SiteValues(conf));
  }

  @Test
  void thoseOfHBaseCostNoCopies() {
    conf.set(
        "hbase.coprocessor.region.classes",
        HBASE + "access.AccessController," + HBASE + "visibility.VisibilityController");
    assertThat(fact()).isEmpty();
  }

  @Test
  void othersAreNamed() {
    conf.set(
        "hbase.coprocessor.region.classes", "my.Ranger|1," + HBASE + "access.AccessController");
    conf.set("hbase.coprocessor.user.region.classes", "my.Indexer");
    assertThat(fact()).endsWith(": my.Ranger, my.Indexer");
  }

  @Test
  void aForeignLabelServiceIsNamed() {
    conf.set("hbase.regionserver.visibility.label.service.class", "my.Labels");
    assertThat(fact()).isEmpty();
    conf.set("hbase.coprocessor.region.classes", HBASE + "visibility.VisibilityController");
    assertThat(fact()).endsWith(": my.Labels");
  }
}
