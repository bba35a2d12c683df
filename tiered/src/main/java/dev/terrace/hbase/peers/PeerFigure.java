// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import org.apache.hbase.thirdparty.com.google.common.base.CaseFormat;

/** A counter of the blocks that region servers take from each other. */
public enum PeerFigure {
  /** Blocks that this server took from others, and cached. */
  BLOCKS_TAKEN,
  /** Their bytes in memory. */
  BYTES_TAKEN,
  /** Blocks that another server did not have, did not send, or sent with a wrong checksum. */
  BLOCKS_LACKING,
  /** Blocks that do not fit the file that this server has open. */
  BLOCKS_DAMAGED,
  /** Calls that a server with more urgent work, or at its rate, declined. */
  CALLS_BUSY,
  /** Calls that a server denied. */
  CALLS_DENIED,
  /** Calls that failed, or were not answered within a second. */
  CALLS_FAILED,
  /** Blocks that this server gave to others. */
  BLOCKS_GIVEN,
  /** Their bytes. */
  BYTES_GIVEN,
  /** Requests that this server declined because it had more urgent work, or was at its rate. */
  REQUESTS_BUSY,
  /** Requests that this server denied. */
  REQUESTS_DENIED;

  /** Its name in JMX, such as {@code peerBlocksTaken}. */
  public String figure() {
    return "peer" + CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.UPPER_CAMEL, name());
  }
}
