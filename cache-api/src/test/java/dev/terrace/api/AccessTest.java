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

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTest {

  @ParameterizedTest
  @CsvSource({
    "true,  true,  true,  CACHING",
    "true,  false, true,  CACHING_REPLICA",
    "false, true,  true,  PASSING",
    "false, false, true,  PASSING_REPLICA",
    "true,  true,  false, UNCOUNTED",
    "true,  false, false, UNCOUNTED",
    "false, true,  false, UNCOUNTED",
    "false, false, false, UNCOUNTED"
  })
  void flagsMakeAnAccess(boolean caching, boolean primary, boolean counted, Access access) {
    assertThat(Access.of(caching, primary, counted)).isEqualTo(access);
  }
}
