// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.region.compression.Compression;
import org.junit.jupiter.api.Tag;

/** The same in files, with the other compression. */
@Tag("long")
class CompressedFileTierTest extends CompressedTierTest {

  @Override
  protected boolean isMapped() {
    return false;
  }

  @Override
  Compression compression() {
    return Compression.ZSTD;
  }
}
