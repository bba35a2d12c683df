// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.plan;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The sizes of the tiers; 0 is no tier. */
public record TierSizes(long dramBytes, long pmemBytes, long ssdBytes) {

  static final String DRAM = "dram";
  static final String PMEM = "pmem";
  static final String SSD = "ssd";

  static TierSizes of(ToLongFunction<String> bytes) {
    return new TierSizes(bytes.applyAsLong(DRAM), bytes.applyAsLong(PMEM), bytes.applyAsLong(SSD));
  }

  /** The names of the existing tiers, the highest first. */
  public List<String> tiers() {
    return Stream.of(DRAM, PMEM, SSD).filter(tier -> bytes(tier) > 0).toList();
  }

  public long bytes(String tier) {
    return switch (tier) {
      case DRAM -> dramBytes;
      case PMEM -> pmemBytes;
      case SSD -> ssdBytes;
      default -> throw new IllegalArgumentException("unknown tier=" + tier);
    };
  }

  public long allBytes() {
    return dramBytes + pmemBytes + ssdBytes;
  }

  /** The same sizes, except for one tier. */
  public TierSizes with(String tier, long bytes) {
    return of(each -> each.equals(tier) ? bytes : bytes(each));
  }

  public TierSizes times(long factor) {
    return new TierSizes(dramBytes * factor, pmemBytes * factor, ssdBytes * factor);
  }

  /** The sizes for a sample of one block in this many. */
  TierSizes forOneIn(long blocks) {
    return new TierSizes(dramBytes / blocks, pmemBytes / blocks, ssdBytes / blocks);
  }
}
