// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hbase.thirdparty.io.netty.util.IllegalReferenceCountException;

/** Encodes HBase's blocks in HBase's own serialized form. */
public final class HBaseBlockCodec implements BlockCodec<Cacheable> {

  /** Room for the striped counts of some 49,000 blocks; the hottest take theirs first. */
  private static final int MAX_SETS = 1024;

  /** The format of an {@link HFileBlock}. */
  static final int HFILE_BLOCK = 0;

  /** Indexed by format. Blocks may add formats, whose numbers are valid in this codec only. */
  private final CopyOnWriteArrayList<CacheableDeserializer<Cacheable>> deserializers =
      new CopyOnWriteArrayList<>(List.of(HFileBlock.BLOCK_DESERIALIZER));

  private final RefCountStripes stripes =
      new RefCountStripes(Runtime.getRuntime().availableProcessors(), MAX_SETS);

  private final PackedBlockFilter packed;

  public HBaseBlockCodec() {
    this(new PackedBlockFilter());
  }

  /**
   * Creates a codec.
   *
   * @param packed is notified of packed blocks
   */
  public HBaseBlockCodec(PackedBlockFilter packed) {
    this.packed = packed;
  }

  @Override
  public int sizeBytes(Cacheable block) {
    return block.getSerializedLength();
  }

  @Override
  public int format(Cacheable block) {
    CacheableDeserializer<Cacheable> deserializer = block.getDeserializer();
    deserializers.addIfAbsent(deserializer);
    return deserializers.indexOf(deserializer);
  }

  @Override
  public void encode(Cacheable block, ByteBuffer target) {
    int end = target.position() + sizeBytes(block);
    // Serializing rewinds or flips the buffer, so it gets a view of its own.
    block.serialize(target.slice(target.position(), end - target.position()), true);
    target.position(end);
  }

  private CacheableDeserializer<Cacheable> deserializer(int format) throws IOException {
    if (format < 0 || format >= deserializers.size()) {
      throw new IOException("unknown deserializer number=" + format);
    }
    return deserializers.get(format);
  }

  @Override
  public Cacheable decode(ByteBuffer[] bytes, int format, BlockMemory memory) throws IOException {
    CacheableDeserializer<Cacheable> deserializer = deserializer(format);
    if (bytes[0].hasArray() || format != HFILE_BLOCK) {
      // Only an HFileBlock outside the heap counts its references; any other may keep these bytes.
      Cacheable block = deserialize(deserializer, ByteBuff.wrap(heapCopy(bytes)));
      memory.free();
      return block;
    }
    StripedRefCount count = new StripedRefCount(memory, stripes);
    RefCnt holders = count.forReaders();
    try {
      return deserialize(deserializer, ByteBuff.wrap(exact(bytes), holders));
    } catch (IOException | RuntimeException | Error e) {
      // The caller keeps the memory. Release the count, or HBase would report it as a leak.
      count.detach();
      holders.release();
      throw e;
    }
  }

  private Cacheable deserialize(CacheableDeserializer<Cacheable> deserializer, ByteBuff bytes)
      throws IOException {
    // Readers unpack a packed block onto the heap, so they may keep the unpacked cells, wherever
    // the packed block was.
    Cacheable block = deserializer.deserialize(bytes, ByteBuffAllocator.HEAP);
    if (PackedBlockFilter.isPacked(block)) {
      packed.expectPacked();
    }
    return block;
  }

  private static ByteBuffer heapCopy(ByteBuffer[] bytes) {
    ByteBuffer copy =
        ByteBuffer.allocate(Arrays.stream(bytes).mapToInt(ByteBuffer::remaining).sum());
    for (ByteBuffer part : bytes) {
      copy.put(part.duplicate());
    }
    return copy.rewind();
  }

  /** Trims capacities: HBase sometimes uses a buffer's capacity as its limit. */
  private static ByteBuffer[] exact(ByteBuffer[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i].capacity() != bytes[i].limit()) {
        bytes[i] = bytes[i].slice();
      }
    }
    return bytes;
  }

  @Override
  public boolean tryRetain(Cacheable block) {
    try {
      block.retain();
      return true;
    } catch (IllegalReferenceCountException e) {
      return false;
    }
  }

  @Override
  public void release(Cacheable block) {
    block.release();
  }
}
