// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

/** The outcome for a block that was to be warmed. */
public enum WarmOutcome {
  /** Taken from the server that had their region, and cached. */
  FROM_PEER("blocksFromPeer"),
  /** Read from the store, and cached. */
  WARMED("blocksWarmed"),
  /** Copied to DRAM, which a restart had emptied, from a tier below. */
  PROMOTED("blocksPromoted"),
  /** Cached already. */
  ALREADY_CACHED("blocksAlreadyCached"),
  /** Their file is gone: it was compacted. */
  COMPACTED("blocksCompacted"),
  /** Not hit before, and their tier is full. */
  NOT_ADMITTED("blocksNotAdmitted"),
  /** Refused by the tiers, or by a column family that is not cached. */
  REFUSED("blocksRefused"),
  /** Not read: there is no such block, or the store failed. */
  FAILED("blocksFailed"),
  /** Their region closed before they were read. */
  INTERRUPTED("blocksInterrupted");

  private final String figure;

  WarmOutcome(String figure) {
    this.figure = figure;
  }

  /** Its name in JMX. */
  public String figure() {
    return figure;
  }
}
