// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WalkthroughTest {

  @Test
  void figuresAreAlikeAndWordsAreNot() {
    assertThat(
            Walkthrough.isShown(
                "95 blocks (5.9 MB): 52 in dram\n", "1,094 blocks (8 MB): 94 in dram\n"))
        .isTrue();
    assertThat(Walkthrough.isShown("95 blocks\n", "no blocks\n")).isFalse();
    assertThat(Walkthrough.isShown("95 blocks\n", "0 blocks\n")).isFalse();
    assertThat(Walkthrough.isShown("written 13.9 MB\n", "written 0 B\n")).isFalse();
    assertThat(Walkthrough.isShown("out 1\n", "out 0\n")).isFalse();
    assertThat(Walkthrough.isShown("the size is 96 MB now\n", "the size is 64 MB now\n")).isFalse();
    assertThat(Walkthrough.isShown("2 errors, 1 warning\n", "2 errors, no warnings\n")).isTrue();
    assertThat(Walkthrough.isShown("2 errors, 1 warning\n", "3 errors, 1 warning\n")).isFalse();
  }

  @Test
  void pointsStandForTextOrForLines() {
    assertThat(Walkthrough.isShown("a ...\n", "a b c\n")).isTrue();
    assertThat(Walkthrough.isShown("a ...\n", "a b\nc\n")).isFalse();
    assertThat(Walkthrough.isShown("a\n...\nd\n", "a\nb\nc\nd\n")).isTrue();
    assertThat(Walkthrough.isShown("a\n...\nd\n", "a\nd\n")).isTrue();
    assertThat(Walkthrough.isShown("a\n...\nd\n", "b\nd\n")).isFalse();
  }

  @Test
  void nothingShownIsNothingPrinted() {
    assertThat(Walkthrough.isShown("", "")).isTrue();
    assertThat(Walkthrough.isShown("", "bash: no such file\n")).isFalse();
    assertThat(Walkthrough.isShown("a\n", "")).isFalse();
  }
}
