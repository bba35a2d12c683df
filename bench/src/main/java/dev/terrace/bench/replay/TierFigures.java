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
package dev.terrace.bench.replay;

import java.util.Map;

/**
 * What a tier did during a replay.
 *
 * @param tier its name
 * @param hits accesses that it served
 * @param blocksWritten blocks stored
 * @param bytesWritten their bytes, at the size they have in the trace
 * @param bytesRewritten on top of them, the bytes of blocks that were written anew to keep them
 * @param promotions blocks copied from here to a higher tier
 * @param demotions blocks that left and were stored by a lower tier
 * @param refusals blocks not stored, by reason
 */
record TierFigures(
    String tier,
    long hits,
    long blocksWritten,
    long bytesWritten,
    long bytesRewritten,
    long promotions,
    long demotions,
    Map<String, Long> refusals) {

  /** Copies the map. */
  TierFigures {
    refusals = Map.copyOf(refusals);
  }
}
