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
package dev.terrace.hbase.why;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.tiered.MoveOutcome;

/** What a reason means, and what to do about it. */
public final class Meaning {

  private Meaning() {}

  /** One or two sentences on a {@link PutOutcome}, {@link EvictionCause} or {@link MoveOutcome}. */
  public static String of(Enum<?> what) {
    if (what instanceof PutOutcome outcome) {
      return of(outcome);
    }
    return what instanceof EvictionCause cause ? of(cause) : of((MoveOutcome) what);
  }

  private static String of(PutOutcome outcome) {
    return switch (outcome) {
      case STORED, ALREADY_PRESENT -> "The tier holds the block.";
      case NOT_ADMITTED ->
          "The tier is full, and its other blocks are read more often. A larger tier keeps more.";
      case BAD_SIZE ->
          "The blocks are too large for the tier: above an eighth of the DRAM tier, or above a"
              + " region. Make the tier larger, or BLOCKSIZE of the family smaller.";
      case NO_SPACE ->
          "The tier has evicted blocks, but readers still hold them. If leasedBytes does not fall,"
              + " something does not release blocks. Right after a start the tier may not have all"
              + " its memory yet.";
      case BAD_BLOCK -> "The blocks could not be encoded or decoded again. The log has the error.";
      case BAD_KEY -> "The tier cannot store a file name of this length, or such an offset.";
      case ENCRYPTED ->
          "The family is encrypted, or HBase had not told yet that the file is not: such blocks stay"
              + " in DRAM, and are not written to a device. Give the DRAM tier room for them, or set"
              + " hbase.terrace.encryption to encrypted-families.";
      case ABOVE_MAX ->
          "The table or family has as much of the tier as hbase.terrace.tables.* allows it. Raise its"
              + " share if it deserves more.";
      case LEAVING ->
          "A compaction is done with the blocks, so HBase will soon delete their file: what is read of"
              + " them is in the blocks that the compaction writes. Or no region here has had their"
              + " file for minutes.";
      case BUSY ->
          "The tier makes room more slowly than blocks come. The next read tries again. If it lasts,"
              + " the disks are too slow or overloaded, or, where rewrittenBytes grow faster than"
              + " putBytes, nearly all that the tier holds is read again and written anew: a larger"
              + " one helps.";
      case UNAVAILABLE ->
          "All of the tier's disks are out of service or full. The log and the tier's troubles"
              + " name them.";
      case CLOSED -> "The cache was closing.";
    };
  }

  private static String of(MoveOutcome outcome) {
    return switch (outcome) {
      case MOVED, ALREADY_THERE -> "The tier holds the block.";
      case NO_REUSE ->
          "The tier is full, and takes only blocks that come back. A block that is read again is"
              + " taken; a larger tier takes more.";
      case OVER_BUDGET ->
          "The write limit was used up. Raise hbase.terrace.ssd.write.limit if the disks can take"
              + " more.";
      case OVERLOADED ->
          "More blocks left the tier above than could be written. A larger tier above, or a faster"
              + " device below, helps.";
      case REFUSED -> "The tier refused the block.";
      case CLOSED -> "The cache was closing.";
      case FAILED -> "The move failed. The log has the error.";
      case EVICTED -> "HBase evicted the block meanwhile.";
    };
  }

  private static String of(EvictionCause cause) {
    return switch (cause) {
      case SIZE ->
          "They made room for blocks that are read more often, and no tier is below. A larger tier keeps more.";
      case KEY ->
          "HBase evicted single blocks, or a block was replaced by another form of the same one.";
      case FILE ->
          "HBase evicted their file: it was compacted, split or deleted, its region moved away with"
              + " hbase.rs.evictblocksonclose, someone ran clear_block_cache, or its data grew cold by"
              + " HBase's data tiering while the tier was full. The blocks of a compacted file are"
              + " cold until they are read, unless they carry rows of blocks that were cached"
              + " (hbase.terrace.compaction.heat).";
      case RESIZE -> "The tier was made smaller, or the most that a table or family may have.";
      case NOT_WRITTEN ->
          "Their device could not write them, most often for want of space. See the state of the"
              + " paths.";
      case DAMAGE -> "Their bytes were damaged or unreadable. See what to do when a disk fails.";
      case CLOSE -> "The cache was closing.";
    };
  }
}
