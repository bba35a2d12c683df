// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.files;

import dev.terrace.region.format.RegionTable;

/**
 * The origin of each file, a text of the embedding application; for HBase the region and its table.
 * The tier keeps it beside the file's name, and returns it after a restart.
 *
 * <p>The devices' workers call both methods, several at once. An exception costs the origin of that
 * file, and a line in the log.
 */
public interface FileOrigins {

  /** Most bytes of an origin in UTF-8; a longer one is not kept. */
  int MAX_ORIGIN_BYTES = RegionTable.MAX_ORIGIN_BYTES;

  /** No file has an origin. */
  FileOrigins NONE =
      new FileOrigins() {
        @Override
        public String originOf(String file) {
          return "";
        }

        @Override
        public void recovered(String file, String origin) {}
      };

  /**
   * The origin of a file. Called for each file of a region before the region is written. An origin
   * of more than 128 bytes of UTF-8 is left out if the region has no room for it.
   *
   * @return any text of at most {@link #MAX_ORIGIN_BYTES} bytes; empty if it is unknown
   */
  String originOf(String file);

  /**
   * Called with the origin of a file whose blocks came back: once for each region with blocks of
   * it. Lookups may find the blocks a moment before.
   */
  void recovered(String file, String origin);
}
