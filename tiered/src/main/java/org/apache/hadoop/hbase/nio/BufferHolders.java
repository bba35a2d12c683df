// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.nio;

/** Finds the count of a buffer's holders. In HBase's package because it is visible only there. */
public final class BufferHolders {

  private BufferHolders() {}

  /** The count that a buffer was wrapped with. */
  public static RefCnt of(ByteBuff buffer) {
    return buffer.refCnt;
  }
}
