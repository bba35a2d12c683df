// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WarmRateTest {

  private static WarmRate read(String text, List<String> faults) {
    return WarmRate.KIND.read(text, (what, remedy) -> faults.add(what));
  }

  @Test
  void aRateMayNamePeers() {
    List<String> faults = new ArrayList<>();
    WarmRate plain = new WarmRate(50L << 20, false);
    WarmRate withPeers = new WarmRate(50L << 20, true);

    assertThat(read("50m", faults)).isEqualTo(plain);
    assertThat(read("50m,peers", faults)).isEqualTo(withPeers);
    assertThat(read("50m, peers", faults)).isEqualTo(withPeers);
    assertThat(read(WarmRate.KIND.write(withPeers), faults)).isEqualTo(withPeers);
    assertThat(read(WarmRate.KIND.write(plain), faults)).isEqualTo(plain);
    assertThat(read("0,peers", faults).isOn()).isFalse();
    assertThat(faults).isEmpty();
  }

  @Test
  void whatIsNeitherIsAFault() {
    for (String text : List.of("", "peers", ",peers", "50m,peer", "50m,peers,peers", "1k,peers")) {
      List<String> faults = new ArrayList<>();
      read(text, faults);
      assertThat(faults).as(text).hasSize(1);
    }
  }
}
