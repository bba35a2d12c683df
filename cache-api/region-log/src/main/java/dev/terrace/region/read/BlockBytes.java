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
package dev.terrace.region.read;

import dev.terrace.api.BlockMemory;
import dev.terrace.region.log.Region;
import java.nio.ByteBuffer;

/**
 * The encoded bytes of one block, checked, and held until their release.
 *
 * @param payload the bytes, from 0 to the limit
 * @param form the {@link dev.terrace.region.format.StoredForm} of the bytes
 * @param format the format that the codec named when it encoded them
 * @param payloadCrc the payload's checksum in the record
 * @param memory releases them; free it once
 */
public record BlockBytes(
    ByteBuffer payload, int form, int format, int payloadCrc, BlockMemory memory) {

  /** Whether they lie in a region's memory, and are no copy. */
  boolean areInPlace() {
    return memory instanceof Region.Pin;
  }

  public void release() {
    memory.free();
  }
}
