/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
    assertThat(HashSecrets.secret("use")).isEqualTo(HashSecrets.secret("use"));
    assertThat(HashSecrets.factor("use")).isEqualTo(HashSecrets.factor("use"));
  }

  @Test
  void factorsAreOdd() {
    for (String use : new String[] {"one", "other", "third", "fourth", "fifth"}) {
      assertThat(HashSecrets.factor(use) & 1).isOne();
    }
  }
}
