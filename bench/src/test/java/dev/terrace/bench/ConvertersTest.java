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
package dev.terrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
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
    assertThat(new Converters.Size().convert("64K").bytes()).isEqualTo(65536);
    assertThatThrownBy(() -> new Converters.Size().convert("64 KB"))
        .hasMessageStartingWith("'64 KB' is not a size; ");
  }

  @Test
  void readsDistributions() {
    assertThat(new Converters.Distribution().convert("uniform")).isEqualTo(KeyDistribution.UNIFORM);
    assertThatThrownBy(() -> new Converters.Distribution().convert("pareto"))
        .hasMessage("unknown distribution 'pareto'; known are zipf and uniform");
  }

  @Test
  void readsCaches() {
    assertThat(new Converters.Cache().convert("bucket-offheap"))
        .isEqualTo(CacheKind.BUCKET_OFFHEAP);
    assertThatThrownBy(() -> new Converters.Cache().convert("ehcache"))
        .hasMessageStartingWith("unknown cache 'ehcache'; known are floor, pread, ");
  }
}
