// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;

/**
 * The state of one block at one moment. {@link RegionIndex#isCurrent} compares its address with the
 * present one.
 *
 * @param slot the block's slot at that moment, or -1
 * @param stamp the table's version at that moment
 * @param word the word of the slot, see {@link IndexSlot}
 * @param address a {@link BlockAddress}
 */
public record IndexEntry(FileTable table, int slot, long stamp, long word, long address) {

  /**
   * An entry of a listing, without a slot or a valid stamp. A touch and {@link
   * RegionIndex#isCurrent} search for its slot.
   */
  IndexEntry(FileTable table, long word, long address) {
    this(table, -1, 0, word, address);
  }

  public CacheFile file() {
    return table.file;
  }

  /** The length of the file's name, in bytes of UTF-8. */
  public int nameBytes() {
    return table.nameBytes;
  }

  public int recordBytes() {
    return RecordLayout.recordBytes(nameBytes(), BlockAddress.payloadBytes(address));
  }

  public long offset() {
    return IndexSlot.offset(word);
  }

  long key() {
    return IndexSlot.keyOfWord(word);
  }

  public BlockTraits traits() {
    return IndexSlot.traits(word);
  }

  /** Whether this process has verified or written the block's bytes. */
  public boolean isVerified() {
    return IndexSlot.isVerified(word);
  }

  /** Hits since the block was written to its address: from 0 to {@link IndexSlot#MAX_HITS}. */
  public int hits() {
    return IndexSlot.hits(word);
  }
}
