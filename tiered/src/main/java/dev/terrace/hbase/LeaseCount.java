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

import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.ByteBuffAllocator.Recycler;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector.Level;

/**
 * The count of a resident block's holders, without a leak tracker.
 *
 * <p>By default HBase tracks about one count in a hundred, and a tracked one takes a stack trace on
 * every retain and release. For a buffer of one request that is a sample; for a block that stays in
 * memory and is hit a million times it is a fixed and arbitrary penalty. So blocks are tracked only
 * where somebody is looking for a leak: from the level {@code advanced} on.
 */
final class LeaseCount extends RefCnt {

  private final Recycler memory;

  private LeaseCount(Recycler memory) {
    super(ByteBuffAllocator.NONE);
    this.memory = memory;
  }

  /** A count of one over memory that is freed with the last reference. */
  static RefCnt over(Recycler memory) {
    boolean lookingForLeaks = ResourceLeakDetector.getLevel().compareTo(Level.SIMPLE) > 0;
    return lookingForLeaks ? RefCnt.create(memory) : new LeaseCount(memory);
  }

  /** True, so that HBase checks at each access that the block was not released too early. */
  @Override
  public boolean hasRecycler() {
    return true;
  }

  @Override
  public boolean release() {
    return freeIfLast(super.release());
  }

  @Override
  public boolean release(int decrement) {
    return freeIfLast(super.release(decrement));
  }

  private boolean freeIfLast(boolean last) {
    if (last) {
      memory.free();
    }
    return last;
  }
}
