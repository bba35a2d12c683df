// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.hbase.blocks.BlockTypes;
import java.util.Comparator;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;

/** A resident block as HBase's pages list it. */
public record ResidentBlock(BlockInfo info) implements CachedBlock {

  private static final Comparator<CachedBlock> BY_PLACE =
      Comparator.comparing(CachedBlock::getFilename).thenComparingLong(CachedBlock::getOffset);

  @Override
  public BlockPriority getBlockPriority() {
    return info.traits().residency() == Residency.PROTECTED
        ? BlockPriority.MEMORY
        : BlockPriority.MULTI;
  }

  @Override
  public BlockType getBlockType() {
    return BlockTypes.type(info.traits().type());
  }

  @Override
  public long getOffset() {
    return info.key().offset();
  }

  @Override
  public long getSize() {
    return info.sizeBytes();
  }

  /** When the block was cached, by the clock of {@link System#nanoTime}. */
  @Override
  public long getCachedTime() {
    return info.putNanos();
  }

  @Override
  public String getFilename() {
    return info.key().file().name();
  }

  @Override
  public int compareTo(CachedBlock other) {
    return BY_PLACE.compare(this, other);
  }
}
