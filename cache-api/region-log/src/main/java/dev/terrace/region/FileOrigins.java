/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region;

import dev.terrace.region.format.RegionTable;

/**
 * Where the files of a cache's blocks belong, in words of the embedding application; for HBase the
 * region and its table. The tier keeps these words beside the files' names, and gives them back
 * after a restart.
 *
 * <p>Both methods are called by the threads that do the devices' I/O, several at once. An exception
 * costs the origin of that file, and a line in the log.
 */
public interface FileOrigins {

  /** The most that an origin may take in UTF-8; a longer one is not kept. */
  int MAX_ORIGIN_BYTES = RegionTable.MAX_ORIGIN_BYTES;

  /** No file belongs anywhere. */
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
   * Where a file belongs. Asked for each file of a region that is about to be written. What takes
   * more than 128 bytes of UTF-8 may be left out where the region has no room for it.
   *
   * @return any text of at most {@link #MAX_ORIGIN_BYTES} bytes; empty if it is unknown
   */
  String originOf(String file);

  /**
   * Tells where a file belongs some of whose blocks came back. May be told several times of a file,
   * once for each region that has blocks of it; blocks may be found a moment before.
   */
  void recovered(String file, String origin);
}
