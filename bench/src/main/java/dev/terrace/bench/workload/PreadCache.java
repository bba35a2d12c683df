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
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;

/**
 * The least that a cache in a file can do on a hit: one lookup, and one positional read of the
 * block into a direct buffer that the thread uses again and again. The block that is handed out is
 * that of the {@link FloorCache}, so that the bytes that were read are not looked at.
 */
final class PreadCache implements BlockCache {

  private final FloorCache floor;
  private final FileChannel file;
  private final int alignmentBytes;
  private final ConcurrentHashMap<BlockCacheKey, Long> positions = new ConcurrentHashMap<>();
  private final ThreadLocal<ByteBuffer> buffers =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(0));

  private long endPosition;

  private PreadCache(FloorCache floor, FileChannel file, int alignmentBytes) {
    this.floor = floor;
    this.file = file;
    this.alignmentBytes = alignmentBytes;
  }

  /**
   * A cache over a new file, which is read through the page cache.
   *
   * @param floor keeps the blocks
   * @param path where no file is
   */
  static PreadCache buffered(FloorCache floor, Path path) throws IOException {
    return new PreadCache(floor, FileChannel.open(path, options()), 1);
  }

  /**
   * A cache over a new file, which is read past the page cache.
   *
   * @throws IOException if the file system has no direct I/O; the message says what to do
   */
  static PreadCache direct(FloorCache floor, Path path) throws IOException {
    Set<OpenOption> options = options();
    options.add(directOption());
    try {
      FileChannel file = FileChannel.open(path, options);
      int alignmentBytes = Math.toIntExact(Files.getFileStore(path).getBlockSize());
      return new PreadCache(floor, file, alignmentBytes);
    } catch (IOException | UnsupportedOperationException e) {
      throw new IOException(
          path + " allows no direct I/O: give a directory on a disk as --file-dir", e);
    }
  }

  private static Set<OpenOption> options() {
    Set<OpenOption> options = new HashSet<>();
    options.add(StandardOpenOption.CREATE_NEW);
    options.add(StandardOpenOption.READ);
    options.add(StandardOpenOption.WRITE);
    return options;
  }

  /** By name: javac warns of the class, since not every JDK needs to have it. */
  private static OpenOption directOption() throws IOException {
    try {
      return (OpenOption)
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new IOException("this JDK has no direct I/O", e);
    }
  }

  @Override
  public Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    Cacheable block = floor.getBlock(key, caching, repeat, updateCacheMetrics);
    Long position = block == null ? null : positions.get(key);
    if (position != null) {
      read(position, block.getSerializedLength());
    }
    return block;
  }

  private void read(long position, int sizeBytes) {
    int readBytes = aligned(sizeBytes);
    ByteBuffer target = buffers.get();
    if (target.capacity() < readBytes) {
      target = newBuffer(readBytes);
      buffers.set(target);
    }
    target.clear().limit(readBytes);
    try {
      while (target.hasRemaining()) {
        if (file.read(target, position + target.position()) < 0) {
          throw new EOFException("position=" + position + " readBytes=" + readBytes);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    floor.cacheBlock(key, block);
    positions.computeIfAbsent(key, absent -> write(block));
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    cacheBlock(key, block);
  }

  private synchronized long write(Cacheable block) {
    int sizeBytes = block.getSerializedLength();
    ByteBuffer bytes = newBuffer(aligned(sizeBytes)).limit(sizeBytes);
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

  private ByteBuffer newBuffer(int sizeBytes) {
    ByteBuffer memory = ByteBuffer.allocateDirect(sizeBytes + alignmentBytes - 1);
    return memory.alignedSlice(alignmentBytes).slice(0, sizeBytes);
  }

  private int aligned(int sizeBytes) {
    return (sizeBytes + alignmentBytes - 1) / alignmentBytes * alignmentBytes;
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    positions.remove(key);
    return floor.evictBlock(key);
  }

  @Override
  public int evictBlocksByHfileName(String hfileName) {
    positions.keySet().removeIf(key -> key.getHfileName().equals(hfileName));
    return floor.evictBlocksByHfileName(hfileName);
  }

  @Override
  public CacheStats getStats() {
    return floor.getStats();
  }

  @Override
  public void shutdown() {
    floor.shutdown();
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long size() {
    return floor.size();
  }

  @Override
  public long getMaxSize() {
    return floor.getMaxSize();
  }

  @Override
  public long getFreeSize() {
    return floor.getFreeSize();
  }

  @Override
  public long getCurrentSize() {
    return floor.getCurrentSize();
  }

  @Override
  public long getCurrentDataSize() {
    return floor.getCurrentDataSize();
  }

  @Override
  public long getBlockCount() {
    return floor.getBlockCount();
  }

  @Override
  public long getDataBlockCount() {
    return floor.getDataBlockCount();
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return floor.iterator();
  }

  @Override
  public BlockCache[] getBlockCaches() {
    return null;
  }
}
