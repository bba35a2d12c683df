// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.settings.SiteValues;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Which coprocessors make hits copies. */
class StartFactsTest {

  private static final String HBASE = "org.apache.hadoop.hbase.security.";
  private final Configuration conf = new Configuration(false);

  private String copies() {
    return StartFacts.copies(new SiteValues(conf));
  }

  @Test
  void thoseOfHBaseCostNoCopies() {
    conf.set(
        "hbase.coprocessor.region.classes",
        HBASE + "access.AccessController," + HBASE + "visibility.VisibilityController");
    assertThat(copies()).isEmpty();
  }

  @Test
  void othersAreNamed() {
    conf.set(
        "hbase.coprocessor.region.classes", "my.Ranger|1," + HBASE + "access.AccessController");
    conf.set("hbase.coprocessor.user.region.classes", "my.Indexer");
    assertThat(copies()).endsWith(": my.Ranger, my.Indexer");
  }

  @Test
  void aForeignLabelServiceIsNamed() {
    conf.set("hbase.regionserver.visibility.label.service.class", "my.Labels");
    assertThat(copies()).isEmpty();
    conf.set("hbase.coprocessor.region.classes", HBASE + "visibility.VisibilityController");
    assertThat(copies()).endsWith(": my.Labels");
  }
}
