// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.tiered.MoveOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReasonTest {

  @Test
  void eachHasAMeaning() {
    Stream<Enum<?>> all =
        Stream.<Enum<?>[]>of(PutOutcome.values(), MoveOutcome.values(), EvictionCause.values())
            .flatMap(Arrays::stream);
    List<String> meanings = all.map(Reason::meaning).toList();
    assertThat(meanings).allSatisfy(text -> assertThat(text).endsWith("."));
  }
}
