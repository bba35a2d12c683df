// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.inspect;

import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RecordWalk;
import dev.terrace.region.format.RegionEpoch;
import java.nio.ByteBuffer;

/** Finds records that a walk did not reach, because one before them is damaged. */
public final class LaterRecords {

  private LaterRecords() {}

  /**
   * Finds a room of the same life after the end of a walk. Such a room proves damage in between,
   * because rooms follow one another without gaps and with rising sequences.
   *
   * @return its position, or -1 if there is none
   */
  public static int roomAfter(RecordWalk walk, ByteBuffer bytes, RegionEpoch life) {
    int alignment = BlockAddress.RECORD_ALIGNMENT;
    int last = bytes.limit() - RecordLayout.NAME;
    for (int at = walk.stop() + alignment; at <= last; at += alignment) {
      if (BlockRecord.roomBytes(bytes, at, life) > 0
          && RecordWalk.isNext(RecordWalk.sequence(bytes, at), walk.lastSequence())) {
        return at;
      }
    }
    return -1;
  }
}
