// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

/** A counter of the blocks that region servers take from each other. */
public enum PeerFigure {
  /** Blocks that this server took from others, and cached. */
  BLOCKS_TAKEN("peerBlocksTaken"),
  /** Their bytes in memory. */
  BYTES_TAKEN("peerBytesTaken"),
  /** Blocks that another server did not have, or did not send. */
  BLOCKS_LACKING("peerBlocksLacking"),
  /** Blocks that failed a check. */
  BLOCKS_DAMAGED("peerBlocksDamaged"),
  /** Calls that a server with more urgent work, or at its rate, declined. */
  CALLS_BUSY("peerCallsBusy"),
  /** Calls that a server denied. */
  CALLS_DENIED("peerCallsDenied"),
  /** Calls that failed, or were not answered within a second. */
  CALLS_FAILED("peerCallsFailed"),
  /** Blocks that this server gave to others. */
  BLOCKS_GIVEN("peerBlocksGiven"),
  /** Their bytes. */
  BYTES_GIVEN("peerBytesGiven"),
  /** Requests that this server declined because it had more urgent work, or was at its rate. */
  REQUESTS_BUSY("peerRequestsBusy"),
  /** Requests that this server denied. */
  REQUESTS_DENIED("peerRequestsDenied");

  private final String figure;

  PeerFigure(String figure) {
    this.figure = figure;
  }

  /** Its name in JMX. */
  public String figure() {
    return figure;
  }
}
