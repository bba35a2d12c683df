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

import dev.terrace.api.BlockMemory;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.memory.ReadCopy;
import dev.terrace.region.memory.WriteBuffer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.LoggerFactory;

/**
 * Gets the bytes of a block that the index found: in place where the region is memory, else as a
 * copy in a pooled direct buffer, and checks that they are this block's.
 *
 * <p>Any thread may call any method. What cannot be read becomes a miss and a count.
 */
final class BlockReader {

  /*
   * Why the bytes are the block's. The caller has an entry of the index, which names a region and a
   * position; but between the lookup and now, the region may have been reclaimed and written anew.
   * So the region is pinned first, and then the index is asked whether the block is still there. A
   * reclaim takes all blocks out of the index before it closes the region to new pins, and waits for
   * the pins before it writes. If the block is still there after the pin, then the reclaim has not
   * closed the region yet, and must wait for us; if the region was opened anew meanwhile, the block
   * is not there any more, unless it was written anew to this very place: then it is right, too.
   */

  /**
   * One pool for all tiers of the process, by alignment: a thread that has used a pool keeps a part
   * of its memory for as long as the thread lives, so that each closed tier would leave some
   * behind.
   */
  private static final ConcurrentMap<Integer, PooledByteBufAllocator> BUFFERS =
      new ConcurrentHashMap<>();

  private static final RateLimitedLog DISTRUST_LOG =
      new RateLimitedLog(
          LoggerFactory.getLogger(BlockReader.class), Duration.ofMinutes(1), System::nanoTime);

  private final Residents residents;
  private final TierCounters counters;
  private final RateLimitedLog log;
  private final boolean verifyReads;
  private final ByteBufAllocator buffers;
  private final LongAdder copiedBytes = new LongAdder();

  /**
   * A reader.
   *
   * @param buffers what blocks are copied into
   */
  BlockReader(
      Residents residents,
      TierCounters counters,
      RateLimitedLog log,
      boolean verifyReads,
      ByteBufAllocator buffers) {
    this.residents = residents;
    this.counters = counters;
    this.log = log;
    this.verifyReads = verifyReads;
    this.buffers = buffers;
  }

  /** The pool of buffers that are aligned so. */
  static ByteBufAllocator pool(int alignmentBytes) {
    return BUFFERS.computeIfAbsent(alignmentBytes, BlockReader::newBuffers);
  }

  private static PooledByteBufAllocator newBuffers(int alignmentBytes) {
    int arenas = Math.max(1, Runtime.getRuntime().availableProcessors());
    int pageBytes = PooledByteBufAllocator.defaultPageSize();
    int order = PooledByteBufAllocator.defaultMaxOrder();
    return new PooledByteBufAllocator(
        true, 0, arenas, pageBytes, order, 0, 0, false, alignmentBytes == 1 ? 0 : alignmentBytes);
  }

  /**
   * The bytes of a block, for a caller of the tier: one of a bounded number inside a device.
   *
   * @return null if they are not to be had, or the block is not at this place any more
   */
  BlockBytes read(IndexEntry entry) {
    return read(entry, true, false);
  }

  /**
   * The same for the log itself, whose one worker a device waits as long as the device does.
   * Verified, so that what was flipped since the first read goes no further.
   */
  BlockBytes readForLog(IndexEntry entry) {
    return read(entry, false, true);
  }

  /**
   * Whether a block's bytes are right at this moment, for a caller of the tier. A damaged block is
   * dropped and counted.
   */
  boolean verify(IndexEntry entry) {
    BlockBytes bytes = read(entry, true, true);
    if (bytes != null) {
      bytes.release();
    }
    return bytes != null;
  }

  private BlockBytes read(IndexEntry entry, boolean forCaller, boolean verify) {
    Region region = residents.region(entry.address());
    if (!region.io.health().isUsable()) {
      counters.trouble(Trouble.UNAVAILABLE_LOOKUP);
      return null;
    }
    Region.Pin pin = region.tryPin();
    if (pin == null) {
      return null;
    }
    BlockBytes bytes = null;
    try {
      if (residents.index().isCurrent(entry)) {
        bytes =
            region.io.device().isMapped()
                ? fromMemory(region, pin, entry, forCaller, verify)
                : copy(region, entry, forCaller, verify);
      }
      return bytes;
    } catch (DirectMemory.Exhausted e) {
      counters.trouble(Trouble.NO_MEMORY);
      log.warn("Not read: " + entry.file() + " @ " + entry.offset(), e);
      return null;
    } catch (InternalError e) {
      IOException fault = region.io.fault(e);
      region.io.health().readFailed(fault);
      log.warn("Not read: " + region, fault);
      return null;
    } finally {
      if (bytes == null || !bytes.areInPlace()) {
        pin.free();
      }
    }
  }

  /**
   * Copies the first bytes of a block, unchecked, into the target's remaining room.
   *
   * @return false if they are not to be had, or the block is not at this place any more
   */
  boolean readHead(IndexEntry entry, ByteBuffer target) {
    Region region = residents.region(entry.address());
    if (BlockAddress.payloadBytes(entry.address()) < target.remaining()
        || !region.io.health().isUsable()) {
      return false;
    }
    Region.Pin pin = region.tryPin();
    if (pin == null) {
      return false;
    }
    try {
      return residents.index().isCurrent(entry) && copyHead(region, entry, target);
    } catch (IOException e) {
      log.warn("Cannot read " + region, e);
      distrust(region);
      return false;
    } catch (DirectMemory.Exhausted e) {
      counters.trouble(Trouble.NO_MEMORY);
      return false;
    } finally {
      pin.free();
    }
  }

  private boolean copyHead(Region region, IndexEntry entry, ByteBuffer target) throws IOException {
    int position =
        BlockAddress.position(entry.address())
            + RecordLayout.headerBytes(RecordLayout.utf8Bytes(entry.file()));
    int length = target.remaining();
    if (region.io.device().isMapped()) {
      target.put(target.position(), region.io.memory(region.slot), position, length);
      return true;
    }
    WriteBuffer buffer = region.buffer();
    if (buffer != null && buffer.tryRetain()) {
      try {
        target.put(target.position(), buffer.bytes(), position, length);
        return true;
      } finally {
        buffer.release();
      }
    }
    int alignment = region.io.device().alignmentBytes();
    int start = position & -alignment;
    int readBytes = RecordLayout.align(position + length, alignment) - start;
    ReadCopy copy = new ReadCopy(buffers, readBytes, copiedBytes);
    try {
      if (!fill(copy, region, start, true)) {
        return false;
      }
      target.put(target.position(), copy.bytes(), position - start, length);
      return true;
    } finally {
      copy.free();
    }
  }

  /**
   * Bytes in the memory of a region, which stays pinned until they are released. While too many
   * regions wait for their readers, a caller gets a copy. Each copy is checked, since it was read
   * anew.
   */
  private BlockBytes fromMemory(
      Region region, Region.Pin pin, IndexEntry entry, boolean forCaller, boolean verify) {
    int position = BlockAddress.position(entry.address());
    boolean toBeVerified = verify || !entry.isVerified();
    boolean asCopy = forCaller && region.areHitsCopies();
    if (!toBeVerified && !asCopy) {
      return payload(entry, region.io.memory(region.slot), position, pin);
    }
    ReadCopy copy = copyOfMemory(region, entry, position);
    if (copy == null) {
      return null;
    }
    boolean kept = false;
    try {
      if (!isRight(region, entry, copy.bytes(), 0, true)) {
        return damaged(entry);
      }
      if (!entry.isVerified()) {
        residents.index().setVerified(entry);
      }
      BlockBytes bytes =
          asCopy
              ? payload(entry, copy.bytes(), 0, copy)
              : payload(entry, region.io.memory(region.slot), position, pin);
      kept = asCopy;
      return bytes;
    } finally {
      if (!kept) {
        copy.free();
      }
    }
  }

  /**
   * A copy of a record in memory. A fault of the memory, which would kill the process in a
   * checksum, is an exception here. Null if it cannot be read.
   */
  private ReadCopy copyOfMemory(Region region, IndexEntry entry, int position) {
    int recordBytes =
        RecordLayout.recordBytes(
            RecordLayout.utf8Bytes(entry.file()), BlockAddress.payloadBytes(entry.address()));
    ReadCopy copy = new ReadCopy(buffers, recordBytes, copiedBytes);
    boolean read = false;
    try {
      region.io.read(region.slot, position, copy.bytes());
      copy.bytes().clear();
      read = true;
      return copy;
    } catch (IOException e) {
      log.warn("Cannot read " + region, e);
      return null;
    } finally {
      if (!read) {
        copy.free();
      }
    }
  }

  private static BlockBytes payload(
      IndexEntry entry, ByteBuffer record, int position, BlockMemory memory) {
    int headerBytes = RecordLayout.headerBytes(entry.nameBytes());
    int payloadBytes = BlockAddress.payloadBytes(entry.address());
    return new BlockBytes(
        record.slice(position + headerBytes, payloadBytes),
        record.getInt(position + RecordLayout.FORMAT),
        record.getInt(position + RecordLayout.PAYLOAD_CRC),
        memory);
  }

  private boolean isRight(
      Region region, IndexEntry entry, ByteBuffer bytes, int position, boolean withPayload) {
    int inRegion = BlockAddress.position(entry.address());
    BlockRecord record = BlockRecord.read(bytes, position, region.life(), inRegion);
    return record != null
        && record.isOf(entry.file(), entry.offset(), BlockAddress.payloadBytes(entry.address()))
        && region.owns(record.sequence())
        && (!withPayload || record.hasRightPayload(bytes, position));
  }

  private BlockBytes damaged(IndexEntry entry) {
    if (residents.drop(entry.file(), entry.offset(), entry.address(), EvictionCause.DAMAGE)) {
      counters.trouble(Trouble.DAMAGED_BLOCK);
      Region region = residents.region(entry.address());
      log.warn(
          "Damaged and dropped: file="
              + entry.file()
              + " offset="
              + entry.offset()
              + ", "
              + BlockAddress.toString(entry.address())
              + " of "
              + region,
          null);
    }
    return null;
  }

  private BlockBytes copy(Region region, IndexEntry entry, boolean forCaller, boolean verify) {
    WriteBuffer buffer = region.buffer();
    if (buffer != null && buffer.tryRetain()) {
      try {
        return copyOf(buffer.bytes(), entry);
      } finally {
        buffer.release();
      }
    }
    return fromDevice(region, entry, forCaller, verify || verifyReads || !entry.isVerified());
  }

  private BlockBytes copyOf(ByteBuffer bytes, IndexEntry entry) {
    int position = BlockAddress.position(entry.address());
    int headerBytes = RecordLayout.headerBytes(entry.nameBytes());
    int length = headerBytes + BlockAddress.payloadBytes(entry.address());
    ReadCopy copy = new ReadCopy(buffers, length, copiedBytes);
    copy.bytes().put(0, bytes, position, length);
    return payload(entry, copy.bytes(), 0, copy);
  }

  private BlockBytes fromDevice(
      Region region, IndexEntry entry, boolean forCaller, boolean withPayload) {
    int alignment = region.io.device().alignmentBytes();
    int position = BlockAddress.position(entry.address());
    int recordBytes =
        RecordLayout.recordBytes(entry.nameBytes(), BlockAddress.payloadBytes(entry.address()));
    int start = position & -alignment;
    int length = RecordLayout.align(position + recordBytes, alignment) - start;
    ReadCopy copy = new ReadCopy(buffers, length, copiedBytes);
    boolean right = false;
    try {
      if (!fill(copy, region, start, forCaller)) {
        return null;
      }
      right = isRight(region, entry, copy.bytes(), position - start, withPayload);
    } catch (IOException e) {
      log.warn("Cannot read " + region, e);
      distrust(region);
      if (!region.isDistrusted()) {
        // The error tells nothing of this block: it counts against the device and the region.
        return null;
      }
    } finally {
      if (!right) {
        copy.free();
      }
    }
    if (!right) {
      return damaged(entry);
    }
    if (!entry.isVerified()) {
      residents.index().setVerified(entry);
    }
    return payload(entry, copy.bytes(), position - start, copy);
  }

  /**
   * Notes that a region could not be read, and has it emptied if that happens again and again;
   * unless it is the whole device that fails.
   */
  private void distrust(Region region) {
    if (!region.io.health().isOneErrorAlone()) {
      return;
    }
    region.failed();
    if (region.isDistrusted()) {
      DISTRUST_LOG.warn(
          "Will be emptied, because reading it fails again and again: " + region, null);
    }
  }

  private static boolean fill(ReadCopy copy, Region region, int start, boolean forCaller)
      throws IOException {
    if (forCaller) {
      if (!region.io.readForCaller(region, region.slot, start, copy)) {
        return false;
      }
    } else {
      region.io.read(region.slot, start, copy.bytes());
    }
    copy.bytes().clear();
    return true;
  }

  /** Bytes of copies that are still being read. */
  long copiedBytes() {
    return copiedBytes.sum();
  }
}
