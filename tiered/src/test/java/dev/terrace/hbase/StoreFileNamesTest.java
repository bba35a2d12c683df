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
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreFileNamesTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String REGION = "fedcba9876543210fedcba9876543210";

  @ParameterizedTest
  @ValueSource(
      strings = {
        FILE,
        FILE + "_SeqId_12_",
        FILE + "_del",
        "a",
        "",
        "name.of-a-test",
        "a name that is long and has a dot. But no region",
        "ns=table=" + REGION + "-" + FILE,
        "ta.ble=" + REGION + "-" + FILE
      })
  void aFileIsWhatItsNameSays(String name) {
    assertThat(StoreFileNames.isReference(name)).isFalse();
    assertThat(StoreFileNames.physical(name)).isSameAs(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FILE,
        FILE + "_SeqId_12_",
        "table=" + REGION + "-" + FILE,
        "ns=ta.ble=" + REGION + "-" + FILE
      })
  void aReferenceIsToAFile(String file) {
    String reference = file + "." + REGION;

    assertThat(StoreFileNames.isReference(reference)).isTrue();
    assertThat(StoreFileNames.physical(reference)).isEqualTo(file);
  }

  @Test
  void theMetaTablesRegionIsNoHash() {
    assertThat(StoreFileNames.physical(FILE + ".1588230740")).isEqualTo(FILE);
  }
}
