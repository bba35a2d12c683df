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

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class BenchCommandTest {

  private final TerraceLine terrace = new TerraceLine();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hit --forks=0             | --forks=0: must be at least 1",
        "hit --block-sizes=8m      | --block-sizes=8 MB: must be from 1k to 4m",
        "hit --caches=ehcache      | expected one of [FLOOR, floor, PREAD, pread,",
        "hit --threads=0           | --threads=0: must be from 1 to ",
        "churn --seconds=0         | --seconds=0: must be from 1 to ",
        "churn --threads=0         | --threads=0: must be from 1 to ",
        "churn --size=1m           | --size is 1 MB, must be at least 128 MB",
        "churn --size=much         | 'much' is not a size",
        "memory --blocks=0         | --blocks=0: must be from 1 to 10,000,000",
        "pause --caches=floor      | --caches=floor: must be a cache that makes room",
        "pause --seconds=0         | --seconds=0: must be from 1 to ",
        "pause --blocks=10         | --blocks=10: must be from 1,000 to 100,000"
      })
  void aWrongOptionIsNamed(String line, String complaint) {
    String[] words = line.split(" ", -1);

    assertThat(terrace.run("bench", words[0], words[1])).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(terrace.err().lines()).singleElement().asString().contains(complaint, "--help");
    assertThat(terrace.out()).isEmpty();
  }
}
