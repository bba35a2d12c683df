// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.api.Quota;
import dev.terrace.region.format.BlockAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Which blocks the quotas of their files keep in a tier. Thread-safe. */
public final class KeptBlocks {

  private final RegionIndex index;
  private final LongSupplier capacityBytes;

  /** The kept blocks of an index, in a tier of this capacity. */
  public KeptBlocks(RegionIndex index, LongSupplier capacityBytes) {
    this.index = index;
    this.capacityBytes = capacityBytes;
  }

  /** Whether any quota may keep blocks. */
  public boolean any() {
    return index.keepsAny();
  }

  /** Whether a block must stay. */
  public boolean contains(IndexEntry entry) {
    return any() && index.quota(entry.file()).keeps(payloadBytes(entry), capacityBytes.getAsLong());
  }

  /** How many bytes of some blocks must stay, if the others of them leave. */
  public long bytesOf(List<IndexEntry> entries) {
    Map<Quota, Long> leaving = new HashMap<>();
    long keptBytes = 0;
    for (IndexEntry entry : entries) {
      Quota quota = index.quota(entry.file());
      long bytes = payloadBytes(entry);
      long leavingBytes = leaving.getOrDefault(quota, 0L) + bytes;
      if (quota.keeps(leavingBytes, capacityBytes.getAsLong())) {
        keptBytes += bytes;
      } else {
        leaving.put(quota, leavingBytes);
      }
    }
    return keptBytes;
  }

  private static int payloadBytes(IndexEntry entry) {
    return BlockAddress.payloadBytes(entry.address());
  }
}
