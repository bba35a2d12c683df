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
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.region.format.RecordLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A region tier on a device that is a file. */
class FileRegionTierTest extends SimulatedTierContract {

  @Override
  protected boolean isMapped() {
    return false;
  }

  @Test
  void headsAreReadAlone() {
    for (long offset = 0; offset < 20; offset++) {
      put("file", offset, blockBytes());
    }
    ((RegionTier<CountedBlock>) tier).sealOpen();
    long before = device().readBytes();
    for (long offset = 0; offset < 20; offset++) {
      assertThat(tier.head("file", offset, ByteBuffer.allocate(33))).isTrue();
    }
    int recordHeader = RecordLayout.headerBytes("file".length());
    assertThat(device().readBytes() - before)
        .as("the record's header, which names the form of the payload, and the head")
        .isEqualTo(20L * (recordHeader + 33));
    device().readErrors(1);
    assertThat(tier.head("file", 0, ByteBuffer.allocate(33))).isFalse();
    assertThat(tier.contains("file", 0)).as("an error of the device is no damage").isTrue();
    device().readErrors(0);
  }
}
