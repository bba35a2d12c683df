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
package dev.terrace.bench.memory;

import java.io.IOException;

/** A cache that survives a restart, as this benchmark uses it: by one thread. */
interface Store {
  /** Puts a block, waiting until it is taken. */
  void put(int block) throws IOException;

  /**
   * Looks a block up.
   *
   * @return whether it was there
   * @throws IllegalStateException if the bytes are not the block's
   */
  boolean hit(int block);

  /** How many blocks are in their place. */
  long blocks();

  /** Whether all that was there before the restart has come back. */
  boolean isRecovered();

  /** Bytes of the index outside of the heap. */
  long indexOffHeapBytes();

  /** Stops it, and keeps what it holds. */
  void stop() throws IOException, InterruptedException;
}
