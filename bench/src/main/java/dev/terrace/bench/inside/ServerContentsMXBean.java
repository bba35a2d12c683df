// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.inside;

import java.util.Map;

public interface ServerContentsMXBean {

  String NAME = "dev.terrace.bench:type=ServerContents";

  /** The number of stores that have a file open, by the name of the file that its blocks are in. */
  Map<String, Long> getOpenFiles();

  Map<String, Long> getCachedBlocks();

  /**
   * Buffers that HBase took from its pool and that are not back, less what HBase itself loses: one
   * when it closes a half of a file, since it does not close the scanner that it seeks with then.
   */
  int getLostBuffers();

  /** The bytes that the threads of this moment have allocated on the heap since they began. */
  long getAllocatedBytes();
}
