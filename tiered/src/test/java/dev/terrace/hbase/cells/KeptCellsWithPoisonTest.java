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
package dev.terrace.hbase.cells;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Poison;
import org.junit.jupiter.api.BeforeAll;

/** Released memory is overwritten at once. */
class KeptCellsWithPoisonTest extends KeptCellsContract {

  // Before the cache asks, once in a JVM; the instance of this class is made before all else.
  static {
    System.setProperty(Poison.PROPERTY, "true");
  }

  @BeforeAll
  void isPoisoned() {
    assertThat(Poison.isOn()).isTrue();
  }
}
