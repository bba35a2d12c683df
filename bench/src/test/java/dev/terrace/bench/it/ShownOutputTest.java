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
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShownOutputTest {

  @Test
  void figuresAreAlikeAndWordsAreNot() {
    assertThat(
            ShownOutput.matches(
                "95 blocks (5.9 MB): 52 in dram\n", "1,094 blocks (8 MB): 94 in dram\n"))
        .isTrue();
    assertThat(ShownOutput.matches("95 blocks\n", "no blocks\n")).isFalse();
    assertThat(ShownOutput.matches("95 blocks\n", "0 blocks\n")).isFalse();
    assertThat(ShownOutput.matches("written 13.9 MB\n", "written 0 B\n")).isFalse();
    assertThat(ShownOutput.matches("out 1\n", "out 0\n")).isFalse();
    assertThat(ShownOutput.matches("the size is 96 MB now\n", "the size is 64 MB now\n")).isFalse();
    assertThat(ShownOutput.matches("2 errors, 1 warning\n", "2 errors, no warnings\n")).isTrue();
    assertThat(ShownOutput.matches("2 errors, 1 warning\n", "3 errors, 1 warning\n")).isFalse();
  }

  @Test
  void pointsStandForTextOrForLines() {
    assertThat(ShownOutput.matches("a ...\n", "a b c\n")).isTrue();
    assertThat(ShownOutput.matches("a ...\n", "a b\nc\n")).isFalse();
    assertThat(ShownOutput.matches("a\n...\nd\n", "a\nb\nc\nd\n")).isTrue();
    assertThat(ShownOutput.matches("a\n...\nd\n", "a\nd\n")).isTrue();
    assertThat(ShownOutput.matches("a\n...\nd\n", "b\nd\n")).isFalse();
  }

  @Test
  void nothingShownIsNothingPrinted() {
    assertThat(ShownOutput.matches("", "")).isTrue();
    assertThat(ShownOutput.matches("", "bash: no such file\n")).isFalse();
    assertThat(ShownOutput.matches("a\n", "")).isFalse();
  }
}
