// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import org.apache.hbase.thirdparty.com.google.common.base.CaseFormat;

/** The outcome for a block that was to be warmed. */
public enum WarmOutcome {
  /** Taken from the server that had their region, and cached. */
  FROM_PEER,
  /** Read from the store, and cached. */
  WARMED,
  /** Copied to DRAM, which a restart had emptied, from a tier below. */
  PROMOTED,
  /** Cached already. */
  ALREADY_CACHED,
  /** Their file is gone: it was compacted. */
  COMPACTED,
  /** Not hit before, and their tier is full. */
  NOT_ADMITTED,
  /** Refused by the tiers, or by a column family that is not cached. */
  REFUSED,
  /** Not read: there is no such block, or the store failed. */
  FAILED,
  /** Their region closed before they were read. */
  INTERRUPTED;

  /** Its name in JMX, such as {@code blocksFromPeer}. */
  public String figure() {
    return "blocks" + CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.UPPER_CAMEL, name());
  }
}
