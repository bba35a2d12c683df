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
package dev.terrace.hbase.blocks;

import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.settings.TerraceSettings.HeapCopyMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * Copies on the heap for callers that use a block after its release. The collector frees a copy, so
 * that it may be kept for good.
 *
 * <p>Data blocks that are read inside the server are copies, since coprocessors and HBase itself
 * keep their cells ({@link ClientReads}). Cells never lie in blocks of other types.
 *
 * <p>HBase has three callers, at least up to 2.6, that get copies whatever the mode. The compaction
 * of MOB files releases none of the blocks that it reads of them. The reader of a half of a split
 * file, when it closes, looks up the block at which the half ends, without caching, and does not
 * release it. And the compaction of a family with MOB releases blocks in the middle of a batch of
 * cells, and then writes the rest of the batch from them: cells in the wrong order, or an index
 * with wrong keys. Compactions look up without caching.
 */
public final class HeapCopies {

  private final HeapCopyMode mode;
  private final ClientReads clients;
  private final Predicate<BlockCacheKey> mayHaveMob;
  private volatile boolean isServing;

  /**
   * Copies for some callers.
   *
   * @param server the region server, once it is known
   * @param mayHaveMob whether a block may be of a column family with MOB
   */
  public HeapCopies(
      HeapCopyMode mode,
      Supplier<Optional<HRegionServer>> server,
      Predicate<BlockCacheKey> mayHaveMob) {
    this.mode = mode;
    this.isServing = mode == HeapCopyMode.ALWAYS;
    this.clients = new ClientReads(server);
    this.mayHaveMob = mayHaveMob;
  }

  /** From now on a region server may look blocks up. Before, {@code internal} copies nothing. */
  public void startServing() {
    isServing = true;
  }

  /**
   * Whether a lookup gets a copy.
   *
   * @param isPlain whether the key's file name is that of a file, no link and no reference
   * @param caching whether the caller would cache the block after a miss
   * @param block the block that was found
   */
  public boolean areFor(BlockCacheKey key, boolean isPlain, boolean caching, Cacheable block) {
    // A usual hit takes a few dozen nanoseconds: outside of a server this adds one.
    return (isServing && isToBeKept(block))
        || (!(isPlain && caching) && isNeverReleased(key, caching));
  }

  private boolean isToBeKept(Cacheable block) {
    return mode != HeapCopyMode.NEVER
        && (mode == HeapCopyMode.ALWAYS || !clients.isOne())
        && block.getBlockType().isData();
  }

  private boolean isNeverReleased(BlockCacheKey key, boolean caching) {
    String name = key.getHfileName();
    return StoreFileNames.isMob(name)
        || (!caching && (StoreFileNames.isReference(name) || mayHaveMob.test(key)));
  }

  /**
   * Copies a block to the heap.
   *
   * @param block one reference to it is released in any case
   * @return the copy, which nobody needs to release
   * @throws IOException if the bytes are not a block
   */
  public static Cacheable of(Cacheable block) throws IOException {
    try {
      ByteBuffer bytes = ByteBuffer.allocate(block.getSerializedLength());
      block.serialize(bytes, true);
      ByteBuffAllocator allocator =
          block instanceof HFileBlock hfileBlock
              ? hfileBlock.getByteBuffAllocator()
              : ByteBuffAllocator.HEAP;
      return block.getDeserializer().deserialize(ByteBuff.wrap(bytes.clear()), allocator);
    } finally {
      block.release();
    }
  }
}
