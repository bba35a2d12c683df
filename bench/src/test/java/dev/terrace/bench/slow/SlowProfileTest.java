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
