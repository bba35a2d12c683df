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
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.LoadFigures.CacheUse;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CacheUseTest {

  @Test
  void readsOfFilesCountAsMisses() {
    CacheUse before = new CacheUse(50, 10, Map.of("dram", 7L));
    CacheUse during = new CacheUse(80, 50, Map.of("dram", 9L, "ssd", 4L)).since(before);

    assertThat(during).isEqualTo(new CacheUse(30, 40, Map.of("dram", 2L, "ssd", 4L)));
    assertThat(during.dataHitRatio()).isEqualTo(30.0 / 70);
    assertThat(before.since(before).dataHitRatio()).isNaN();
  }
}
