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
package dev.terrace.tiered;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.Source;

/**
 * A block that is offered to tiers, one after the other.
 *
 * @param <B> the object that readers use
 */
class Offer<B> {

  final String from;
  final Source source;
  final BlockInfo info;
  final B block;
  private volatile boolean evicted;

  /**
   * An offer.
   *
   * @param from the name of the tier where the block is, or {@link MoveStats#OUTSIDE}
   */
  Offer(String from, Source source, BlockInfo info, B block) {
    this.from = from;
    this.source = source;
    this.info = info;
    this.block = block;
  }

  BlockKey key() {
    return info.key();
  }

  /** Marks the block as evicted; returns whether it was not marked before. */
  boolean evict() {
    boolean first = !evicted;
    evicted = true;
    return first;
  }

  boolean isEvicted() {
    return evicted;
  }
}
