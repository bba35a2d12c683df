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

/**
 * Is offered the blocks that leave a tier to make room, so that they can go to another one.
 *
 * @param <B> the object that readers use
 */
public interface TierExit<B> {

  /** Whether a tier above has a block, too. */
  enum Above {
    /** None has it. */
    NO,
    /** One has it, so that the copy below is worth nothing now. */
    YES,
    /** One has it that loses it in a crash, and there is room to keep a copy for that. */
    VOLATILE
  }

  /**
   * Called while a block can still be found in its tier, by the thread that makes it leave. Quick;
   * never waits, never throws, and does not call the tier.
   *
   * @param block valid during the call; whoever wants it for longer retains it
   * @param traits what the owner said about it
   * @param wasHit whether anybody read it while it was in the tier
   */
  void leaving(String file, long offset, B block, BlockTraits traits, boolean wasHit);

  /**
   * Hears that a block is about to leave which no tier above has, before {@link #leaving}. For
   * tiers that have to read a block before they can show it; others need not ask.
   *
   * @return whether the block is to be shown
   */
  boolean wants(String file, long offset);

  /** What the tiers above mean for a tier's own copy of a block. */
  Above above(String file, long offset);

  /** Called when a block that was announced as leaving turns out to have been evicted meanwhile. */
  void evictedMeanwhile(String file, long offset);
}
