// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.jcstress.Leased;

/** Makes entries of one file, whose blocks have one reference: the tier's. */
final class Entries {

  private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private Entries() {}

  static CacheFile file() {
    return new CacheFiles().hold("file");
  }

  static DramEntry<Leased> reserved(CacheFile file, long offset) {
    return new DramEntry<>(run -> {}, new BlockKey(file, offset), 1, 1, TRAITS, 0);
  }

  static DramEntry<Leased> resident(CacheFile file, long offset) {
    DramEntry<Leased> entry = reserved(file, offset);
    entry.keep(new Leased());
    entry.publish();
    return entry;
  }
}
