// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
