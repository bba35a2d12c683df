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
package dev.terrace.region.inspect;

import dev.terrace.api.BlockKey;
import java.util.Optional;

/**
 * A part of a cache's files that differs from what was written.
 *
 * @param region the region's number
 * @param position where in the region, in bytes
 * @param block the lost block; empty if the damage is not in a block
 * @param reason the kind of damage
 */
public record Damage(int region, int position, Optional<BlockKey> block, String reason) {

  /** One line for people. */
  @Override
  public String toString() {
    return "region="
        + region
        + " position="
        + position
        + block.map(key -> " file=" + key.file() + " offset=" + key.offset()).orElse("")
        + ": "
        + reason;
  }
}
