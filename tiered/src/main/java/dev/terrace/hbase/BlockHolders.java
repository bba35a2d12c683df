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
package dev.terrace.hbase;

import dev.terrace.api.BlockMemory;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector.Level;

/**
 * The number of those who hold a block. With the last of them the block's memory is freed.
 *
 * <p>HBase's own count of what has memory to give back takes part in Netty's leak detection, which
 * by default picks one count in some hundred and notes who touches it. For a buffer that lives for
 * one request that is cheap; for a block that is hit a million times it makes a million stack
 * traces. So this count says that it gives nothing back, and does so by itself. {@link #of} makes
 * one of HBase's own where leaks are being looked for.
 */
final class BlockHolders extends RefCnt {

  private final BlockMemory memory;

  private BlockHolders(BlockMemory memory) {
    super(ByteBuffAllocator.NONE);
    this.memory = memory;
  }

  /**
   * A count of one.
   *
   * @param memory freed exactly once, when the count becomes 0
   */
  static RefCnt of(BlockMemory memory) {
    return ResourceLeakDetector.getLevel().compareTo(Level.ADVANCED) >= 0
        ? tracked(memory)
        : untracked(memory);
  }

  /** A count that Netty reports with its last holders if the memory is never freed. */
  static RefCnt tracked(BlockMemory memory) {
    return RefCnt.create(memory::free);
  }

  static RefCnt untracked(BlockMemory memory) {
    return new BlockHolders(memory);
  }

  /** True, so that HBase's buffers go on checking that they are not read after their release. */
  @Override
  public boolean hasRecycler() {
    return true;
  }

  @Override
  public boolean release() {
    return freeIf(super.release());
  }

  @Override
  public boolean release(int decrement) {
    return freeIf(super.release(decrement));
  }

  private boolean freeIf(boolean last) {
    if (last) {
      memory.free();
    }
    return last;
  }
}
