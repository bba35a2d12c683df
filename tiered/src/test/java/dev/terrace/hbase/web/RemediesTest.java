// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.device.DeviceFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One remedy for one cause. Log, page, bean and whyNotCached take theirs from {@link DeviceFault};
 * alerts and docs/operations.md name the same steps.
 */
final class RemediesTest {

  private static final Path DOCS = Path.of("..", "docs");

  private static final Pattern STEP =
      Pattern.compile(
          "dmesg|smartctl|iostat -x|fsfreeze -u|umount|fsck -f|update_config|inspect --verify"
              + "|\\b(?:delete|replace)\\b|quota|smaller|more disks|covered");

  private static Set<String> steps(String text) {
    return STEP.matcher(text.toLowerCase(Locale.ROOT))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** From the first text to the second one behind it. */
  private static String between(String begin, String end, Path file) throws IOException {
    String all = Files.readString(DOCS.resolve(file));
    int start = all.indexOf(begin);
    assertThat(start).as(begin).isPositive();
    return all.substring(start, all.indexOf(end, start + begin.length()));
  }

  @ParameterizedTest
  @CsvSource({
    "TerraceDiskFull, | `FULL` |, ENOSPC EDQUOT",
    "TerracePathReadOnly, | `READ_ONLY` |, EIO EROFS EUCLEAN",
    "TerracePathSlow, | `SLOW` |, HANG SLOW",
    "TerracePathOut, | `OUT` |, EIO EUCLEAN UNOPENED",
    "TerracePathLost, | `LOST` |, LOST",
    "TerraceCorruption, - **Wrong bytes.**, DAMAGE"
  })
  void alertsAndOperationsNameTheStepsOfTheFaults(String alert, String state, String faults)
      throws IOException {
    String advice =
        Arrays.stream(faults.split(" "))
            .map(fault -> DeviceFault.valueOf(fault).advice(""))
            .collect(Collectors.joining());
    assertThat(steps(advice)).isNotEmpty();
    assertThat(
            steps(between("alert: " + alert, "- alert", Path.of("monitoring/terrace-alerts.yml"))))
        .isEqualTo(steps(advice));
    assertThat(steps(between(state, "\n", Path.of("operations.md")) + rest(state)))
        .containsAll(steps(advice));
  }

  /** A paragraph, unlike a row of a table, goes on in further lines. */
  private static String rest(String begin) throws IOException {
    return begin.startsWith("|") ? "" : between(begin, "\n- **", Path.of("operations.md"));
  }
}
