// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Poison;
import org.junit.jupiter.api.BeforeAll;

/** The same, where released memory is overwritten at once. */
class VisibleCellsWithPoisonTest extends VisibleCellsTest {

  // Before the cache asks, once in a JVM; the instance of this class is made before all else.
  static {
    System.setProperty(Poison.PROPERTY, "true");
  }

  @BeforeAll
  void isPoisoned() {
    assertThat(Poison.isOn()).isTrue();
  }
}
