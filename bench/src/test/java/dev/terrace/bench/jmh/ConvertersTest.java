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
package dev.terrace.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.workload.CacheKind;
import org.junit.jupiter.api.Test;

final class ConvertersTest {

  @Test
  void readsThreads() {
    int cores = Runtime.getRuntime().availableProcessors();

    assertThat(new Converters.Threads().convert("4")).isEqualTo(4);
    assertThat(new Converters.Threads().convert("2x")).isEqualTo(2 * cores);
    assertThatThrownBy(() -> new Converters.Threads().convert("0"))
        .hasMessage("'0' must be a number of threads such as 4, or 2x for twice the cores");
  }

  @Test
  void readsSizes() {
    Converters.Size sizes = new Converters.Size();

    assertThat(sizes.convert("65536")).isEqualTo(65536);
    assertThat(sizes.convert("64K")).isEqualTo(65536);
    assertThat(sizes.convert("1mb")).isEqualTo(1 << 20);
    assertThatThrownBy(() -> sizes.convert("64 KB"))
        .hasMessage("'64 KB' must be a size such as 65536, 64k or 1m");
    assertThatThrownBy(() -> sizes.convert("5m")).hasMessage("'5m' must be from 24 to 4m");
    assertThatThrownBy(() -> sizes.convert("23")).hasMessage("'23' must be from 24 to 4m");
  }

  @Test
  void readsCaches() {
    assertThat(new Converters.Cache().convert("bucket-offheap"))
        .isEqualTo(CacheKind.BUCKET_OFFHEAP);
    assertThatThrownBy(() -> new Converters.Cache().convert("ehcache"))
        .hasMessageStartingWith("unknown cache 'ehcache'; known are floor, lru, ");
  }
}
