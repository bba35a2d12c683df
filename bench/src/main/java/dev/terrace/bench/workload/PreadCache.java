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
package dev.terrace.bench.workload;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * The least that a cache in a file can do on a hit: one lookup, and one positional read of the
 * block into a direct buffer that the thread uses again and again. The block that is handed out is
 * that of the {@link FloorCache}, so that the bytes that were read are not looked at.
 */
final class PreadCache extends FloorCache {

  private final FileChannel file;
  private final ConcurrentHashMap<BlockCacheKey, Long> positions = new ConcurrentHashMap<>();
  private final ThreadLocal<ByteBuffer> buffers =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(0));
  private long endPosition;

  private PreadCache(CacheKind.Spec spec, FileChannel file) {
    super(spec.capacityBytes(), spec.expectedBlocks());
    this.file = file;
  }

  /** Opens an empty cache over a new file. */
  static PreadCache open(CacheKind.Spec spec) throws IOException {
    return new PreadCache(
        spec,
        FileChannel.open(
            spec.fileDirectory().resolve("pread"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  @Override
  public Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    Cacheable block = super.getBlock(key, caching, repeat, updateCacheMetrics);
    Long position = block == null ? null : positions.get(key);
    if (position != null) {
      read(position, block.getSerializedLength());
    }
    return block;
  }

  private void read(long position, int sizeBytes) {
    ByteBuffer target = buffers.get();
    if (target.capacity() < sizeBytes) {
      target = ByteBuffer.allocateDirect(sizeBytes);
      buffers.set(target);
    }
    target.clear().limit(sizeBytes);
    try {
      while (target.hasRemaining()) {
        if (file.read(target, position + target.position()) < 0) {
          throw new EOFException("position=" + position + " sizeBytes=" + sizeBytes);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    super.cacheBlock(key, block);
    positions.computeIfAbsent(key, absent -> write(block));
  }

  private synchronized long write(Cacheable block) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(block.getSerializedLength());
    block.serialize(bytes, true);
    bytes.clear();
    long position = endPosition;
    try {
      while (bytes.hasRemaining()) {
        endPosition += file.write(bytes, endPosition);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return position;
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    positions.remove(key);
    return super.evictBlock(key);
  }

  @Override
  public void shutdown() {
    super.shutdown();
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
