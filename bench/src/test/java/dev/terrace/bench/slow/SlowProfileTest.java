// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

final class SlowProfileTest {

  @Test
  void anObjectStoreUnlessSaidOtherwise() {
    assertThat(SlowSettings.profile(new Configuration(false))).isEqualTo(SlowProfile.OBJECT_STORE);
  }

  @Test
  void aWrongProfileIsNamed() {
    Configuration configuration = new Configuration(false);
    configuration.set(SlowSettings.PROFILE, "tape");

    assertThatThrownBy(() -> SlowSettings.profile(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("terrace.slow.profile=tape")
        .hasMessageContaining("object-store, hdd, hdfs-network, none");
  }

  @Test
  void itsNumbersAreTold() {
    assertThat(SlowProfile.OBJECT_STORE.describe())
        .isEqualTo(
            "object-store: 20 to 30 ms to the first byte of a request, 10 ms for one without data,"
                + " 50 MB/s a stream, 1250 MB/s in all, any number of requests at once");
    assertThat(SlowProfile.HDD.describe()).contains("8 ms", "150 MB/s in all", "at a time");
  }
}
