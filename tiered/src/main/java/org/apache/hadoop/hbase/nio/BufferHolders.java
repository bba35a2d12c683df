// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.nio;

/** Finds the count of a buffer's holders. In HBase's package, since it is visible only there. */
public final class BufferHolders {

  private BufferHolders() {}

  /** The reference count with which a buffer was wrapped. */
  public static RefCnt of(ByteBuff buffer) {
    return buffer.refCnt;
  }
}
