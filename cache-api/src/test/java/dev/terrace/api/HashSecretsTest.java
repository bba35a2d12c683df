// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HashSecretsTest {

  @Test
  void differByProcessAndUse() {
    Set<Long> secrets = new HashSet<>();
    for (long seed = 0; seed < 500; seed++) {
      secrets.add(HashSecrets.secret(seed, "one"));
      secrets.add(HashSecrets.secret(seed, "other"));
    }
    assertThat(secrets).hasSize(1_000);
  }

  @Test
  void areTheSameForTheSameUse() {
    assertThat(HashSecrets.factor("use")).isEqualTo(HashSecrets.factor("use"));
    assertThat(HashSecrets.factor("use")).isEqualTo(HashSecrets.factor("use"));
  }

  @Test
  void factorsAreOdd() {
    for (String use : new String[] {"one", "other", "third", "fourth", "fifth"}) {
      assertThat(HashSecrets.factor(use) & 1).isOne();
    }
  }
}
