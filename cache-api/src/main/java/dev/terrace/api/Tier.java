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
package dev.terrace.api;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;

/**
 * One level of the cache: a bounded set of immutable blocks, each under the name of its file and
 * its offset there.
 *
 * <p>All methods may be called from any thread at any time, also twice and after {@link #close}:
 * then a lookup misses, a put is refused and an eviction finds nothing. None of them waits for I/O
 * but a put that is told to, and none throws because of what is in the cache; normal outcomes are
 * values.
 *
 * @param <B> the object that readers use; see {@link BlockCodec} for who counts its holders
 */
public interface Tier<B> extends AutoCloseable {

  /** A short name for logs and tables, such as {@code dram}. */
  String name();

  /**
   * Says who is offered the blocks that leave to make room. Nobody, until this is called; to be
   * called at most once, before the tier is used.
   */
  void exitTo(TierExit<B> exit);

  /**
   * The bytes of blocks that may leave at one go, where more than one leaves at a time; 0 else. Who
   * carries them on needs to have as many under way.
   */
  default long leavesAtOnceBytes() {
    return 0;
  }

  /** Whether a block of common size would be stored now without another one leaving for it. */
  boolean hasFreeRoom();

  /**
   * Looks a block up.
   *
   * @param file the file's name
   * @param offset where the block starts in its file
   * @param access how the lookup is counted
   * @return the block with one more reference, which the caller releases; null on a miss
   */
  B get(String file, long offset, Access access);

  /** Whether the block is resident. Not counted as a lookup. */
  boolean contains(String file, long offset);

  /** The resident block's description, without a reference to it. Not counted as a lookup. */
  Optional<BlockInfo> info(String file, long offset);

  /**
   * Copies the first bytes of a resident block's encoding, without reading the others and without
   * checking them. Not counted as a lookup.
   *
   * @param target the bytes go to its remaining room, from its position, which does not change; may
   *     be written to in part when this returns false
   * @return false if there is no such block, it is shorter, or it cannot be read now
   */
  boolean head(String file, long offset, ByteBuffer target);

  /**
   * Compares the bytes of a resident block with their checksum, if this tier trusts bytes that it
   * verified once; for one who has copied them to another tier. A damaged block is dropped. Not
   * counted as a lookup.
   *
   * @return whether lookups verify anyway, or the bytes are right
   */
  boolean verify(String file, long offset);

  /**
   * Takes a copy of a block. The caller keeps its reference to {@code block} and may release it as
   * soon as this returns.
   *
   * @return what became of it; a refusal is counted under its reason
   */
  PutOutcome put(String file, long offset, B block, BlockTraits traits);

  /**
   * The same, but where a put would be refused as {@link PutOutcome#BUSY} it waits for room first,
   * while the tier's device makes progress. It does not wait for a write limit.
   *
   * @param mostWaitNanos how long to wait at most; 0 is not at all
   */
  default PutOutcome put(
      String file, long offset, B block, BlockTraits traits, long mostWaitNanos) {
    return put(file, offset, block, traits);
  }

  /**
   * Drops a block. Readers that hold it may go on reading it.
   *
   * @return whether it was resident
   */
  boolean evict(String file, long offset);

  /**
   * Drops all blocks of a file, at the cost of that file's blocks.
   *
   * @return how many were resident
   */
  int evictFile(String file);

  /**
   * Drops the blocks of a file which start in a range, at the cost of that file's blocks.
   *
   * @param fromOffset the first offset of the range
   * @param toOffset the last offset of the range, inclusive
   * @return how many were resident
   */
  int evictRange(String file, long fromOffset, long toOffset);

  /** Notes that a block is in use in another tier, so that it is worth keeping here. */
  void touch(String file, long offset);

  /** How many blocks are resident. */
  long blockCount();

  /** How much of a file is resident; zeros when nothing is. */
  FileUsage usage(String file);

  /** Is told of a block of a file: where it starts there, and its encoded size. */
  @FunctionalInterface
  interface BlockVisitor {
    void block(long offset, int sizeBytes);
  }

  /** Tells a visitor of a file's blocks as they were at one moment, at the cost of those blocks. */
  void forEachBlock(String file, BlockVisitor visitor);

  /** What is resident by file, weakly consistent. */
  Iterator<FileUsage> files();

  /** The resident blocks, weakly consistent: changes made meanwhile may or may not be seen. */
  Iterator<BlockInfo> blocks();

  /** The same, what is worth most first, as far as the tier can tell. */
  default Iterator<BlockInfo> worthiestBlocks() {
    return blocks();
  }

  /** The counters as they are now. */
  TierStats stats();

  /** Drops everything and refuses from now on. Memory under a lease lives until its release. */
  @Override
  void close();
}
