// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import java.util.Map;

/**
 * The moves from one tier to another so far.
 *
 * @param from the name of the source tier
 * @param to the name of the target tier
 * @param blocks number of moves by outcome; outcomes that did not occur are left out
 * @param bytes encoded bytes of the moved blocks
 */
public record MoveStats(String from, String to, Map<MoveOutcome, Long> blocks, long bytes) {

  /** The source of blocks that are put straight into a lower tier. */
  public static final String OUTSIDE = "outside";
}
