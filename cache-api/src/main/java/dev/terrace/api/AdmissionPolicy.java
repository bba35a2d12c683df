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

/** Decides whether a tier takes a block that is offered to it. Thread-safe; quick; never blocks. */
public interface AdmissionPolicy {

  /** What becomes of an offer. */
  enum Verdict {
    /** The block is worth its write. */
    ADMIT,
    /** There is no sign that the block will be read again. */
    NO_REUSE,
    /** The block would be worth it, but too much was written lately. */
    OVER_BUDGET
  }

  /**
   * Decides on an offer.
   *
   * @param keyHash of the block's key, see {@link BlockKey#hash}
   * @param sizeBytes the block's encoded size
   * @param source why it is offered
   * @param wasHit whether it was read while it was in the tier above
   */
  Verdict offer(long keyHash, int sizeBytes, Source source, boolean wasHit);

  /** Hears that a block was looked up which was not in the tiers above. */
  default void requested(long keyHash) {}

  /** Hears that a block leaves the tier above, before it is offered, if it is. */
  default void leaving(long keyHash) {}

  /** Hears that a block leaves the tier to make room, and is in no tier above. */
  default void left(long keyHash) {}

  /** Takes everything. */
  static AdmissionPolicy everything() {
    return (keyHash, sizeBytes, source, wasHit) -> Verdict.ADMIT;
  }
}
