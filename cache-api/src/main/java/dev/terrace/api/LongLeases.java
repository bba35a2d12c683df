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
package dev.terrace.api;

import java.time.Duration;

/**
 * Blocks of a tier that were leased at every look for more than a minute. Their readers are slow,
 * such as a compaction that has not reached the block's next key, or never release. A block is
 * first seen some time after its lease began, so ages are lower bounds.
 *
 * @param blocks the blocks
 * @param bytes bytes allocated to them
 * @param residentBytes the part of these bytes that belongs to blocks still resident
 * @param oldest how long the oldest of these leases is known; zero if there is none
 */
public record LongLeases(long blocks, long bytes, long residentBytes, Duration oldest) {

  /** No lease is that old, or the tier does not watch them. */
  public static final LongLeases NONE = new LongLeases(0, 0, 0, Duration.ZERO);
}
