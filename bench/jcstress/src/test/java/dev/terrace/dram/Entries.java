// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.jcstress.Leased;

/** Makes entries of one file, whose blocks have one reference: the tier's. */
final class Entries {

  static final String FILE = "file";

  private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private Entries() {}

  static DramEntry<Leased> reserved(long offset) {
    return new DramEntry<>(run -> {}, new BlockKey(FILE, offset), 1, 1, TRAITS, 0);
  }

  static DramEntry<Leased> resident(long offset) {
    DramEntry<Leased> entry = reserved(offset);
    entry.keep(new Leased());
    entry.publish();
    return entry;
  }
}
