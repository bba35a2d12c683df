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
import dev.terrace.api.PromotionPolicy;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * How blocks move between tiers.
 *
 * @param admissions by the name of a tier, who decides what it takes; a tier that is not named
 *     takes everything
 * @param promotions by the name of a tier, who decides what is copied up from it; from a tier that
 *     is not named nothing is
 * @param carrier runs the demotions, off the threads that make blocks leave
 * @param mostBytesUnderWay encoded bytes of blocks that have left a tier and are on their way down,
 *     at most
 */
public record Movement(
    Map<String, AdmissionPolicy> admissions,
    Map<String, PromotionPolicy> promotions,
    Executor carrier,
    long mostBytesUnderWay) {

  AdmissionPolicy admission(String tier) {
    return admissions.getOrDefault(tier, AdmissionPolicy.everything());
  }

  PromotionPolicy promotion(String tier) {
    return promotions.getOrDefault(tier, keyHash -> false);
  }
}
