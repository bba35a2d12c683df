// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTest {

  @ParameterizedTest
  @CsvSource({
    "true,  true,  true,  CACHING",
    "true,  false, true,  CACHING_REPLICA",
    "false, true,  true,  NON_CACHING",
    "false, false, true,  NON_CACHING_REPLICA",
    "true,  true,  false, UNCOUNTED",
    "true,  false, false, UNCOUNTED",
    "false, true,  false, UNCOUNTED",
    "false, false, false, UNCOUNTED"
  })
  void flagsMakeAnAccess(boolean caching, boolean primary, boolean counted, Access access) {
    assertThat(Access.of(caching, primary, counted)).isEqualTo(access);
  }
}
