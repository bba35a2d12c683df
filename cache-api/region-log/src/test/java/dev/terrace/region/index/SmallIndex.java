// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.region.memory.DirectMemory;
import java.nio.ByteBuffer;

/** Makes indexes that take one page of memory at a time, for tests that make many of them. */
public final class SmallIndex {

  private SmallIndex() {}

  /** An index without blocks. */
  public static RegionIndex empty() {
    return new RegionIndex(new IndexPages(1, new DirectMemory(ByteBuffer::allocateDirect)));
  }
}
