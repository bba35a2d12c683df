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

import dev.terrace.api.AdmissionPolicy;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;

/**
 * Writes a block to a tier when it was offered before, not long ago: a block that leaves the tier
 * above twice was read again in between. While the tier has free room it takes everything.
 *
 * <p>Where blocks come back soon or never, that is too late. So two small caches without blocks
 * compare the two rules on a sample of the keys, and everything is written where that gets enough
 * more hits to be worth it. Thread-safe.
 */
final class ReuseAdmission implements AdmissionPolicy {

  /** Writing everything must turn so much more of the lookups into hits. */
  private static final double WORTH = 0.005;

  private static final double WORTH_WITH_ENDURANCE = 0.05;

  private final Tier<?> tier;
  private final double worth;
  private final SeenKeys offered = new SeenKeys();
  private RuleTrial trial;
  private long trialBlocks;
  private volatile long sampleMask = -1;
  private volatile boolean isDemanding = true;

  /**
   * A policy for a tier.
   *
   * @param endurance whether fewer writes are worth more than hits
   */
  ReuseAdmission(Tier<?> tier, boolean endurance) {
    this.tier = tier;
    this.worth = endurance ? WORTH_WITH_ENDURANCE : WORTH;
  }

  @Override
  public Verdict offer(long keyHash, int sizeBytes, Source source, boolean wasHit) {
    if (tier.hasFreeRoom()) {
      return Verdict.ADMIT;
    }
    startTrial();
    if (!isDemanding && source != Source.AHEAD) {
      return Verdict.ADMIT;
    }
    return isKnown(keyHash) ? Verdict.ADMIT : Verdict.NO_REUSE;
  }

  private synchronized boolean isKnown(long keyHash) {
    if (offered.contains(keyHash)) {
      return true;
    }
    offered.add(keyHash, blocks());
    return false;
  }

  private long blocks() {
    return tier.blockCount();
  }

  /** The small caches are as large as the tier is when it is full, in proportion. */
  private synchronized void startTrial() {
    long blocks = blocks();
    if (blocks > 2 * trialBlocks || 2 * blocks < trialBlocks) {
      trialBlocks = blocks;
      trial = new RuleTrial(blocks, worth);
      sampleMask = trial.sampleMask();
    }
  }

  @Override
  public void requested(long keyHash) {
    if ((keyHash & sampleMask) == 0) {
      synchronized (this) {
        if (trial != null) {
          isDemanding = trial.requested(keyHash);
        }
      }
    }
  }

  @Override
  public void leaving(long keyHash) {
    if ((keyHash & sampleMask) == 0) {
      synchronized (this) {
        if (trial != null) {
          trial.offered(keyHash);
        }
      }
    }
  }
}
