// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warm;

import java.util.Locale;

/** What became of blocks that were to be warmed. */
public enum Fate {
  /** Read from the store, and cached. */
  WARMED("blocksWarmed"),
  /** Copied from a tier below to DRAM, which a restart had emptied. */
  PROMOTED("blocksPromoted"),
  /** Cached already. */
  CACHED("blocksCachedAlready"),
  /** Their file is gone: it was compacted. */
  GONE("blocksGone"),
  /** Not hit before, and their tier is full. */
  COLD("blocksNotWorthRoom"),
  /** The tiers, or a column family that is not to be cached, refused them. */
  REFUSED("blocksRefused"),
  /** Not read: there is no such block, or the store failed. */
  FAILED("blocksFailed"),
  /** Their region closed before they were read. */
  LEFT("blocksLeft");

  private final String figure;

  Fate(String figure) {
    this.figure = figure;
  }

  /** Its name in JMX. */
  public String figure() {
    return figure;
  }

  /** Its name in the log. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
