// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.Collection;

/** A number of blocks, and their encoded bytes. */
public record Amount(long blocks, long bytes) {

  public static final Amount NONE = new Amount(0, 0);

  /** The blocks of some files. */
  public static Amount of(Collection<FileUsage> usages) {
    return usages.stream()
        .map(usage -> new Amount(usage.blocks(), usage.payloadBytes()))
        .reduce(NONE, Amount::plus);
  }

  public Amount plus(Amount other) {
    return new Amount(blocks + other.blocks, bytes + other.bytes);
  }
}
