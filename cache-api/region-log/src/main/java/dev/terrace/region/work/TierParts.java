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
package dev.terrace.region.work;

import dev.terrace.region.index.KeptBlocks;
import dev.terrace.region.log.Residents;
import dev.terrace.region.read.BlockReader;
import java.time.Duration;

/**
 * What the workers of a tier's devices have in common.
 *
 * @param reader reads blocks that are moved or verified
 * @param demotions offers the blocks that a reclaim evicts
 * @param fence keeps out what is evicted during the recovery
 * @param kept the blocks that a reclaim writes anew
 * @param scrubPeriod time in which all blocks at rest are verified; zero for never
 */
public record TierParts(
    Residents residents,
    BlockReader reader,
    DemotionOffers<?> demotions,
    RecoveryFence fence,
    KeptBlocks kept,
    Duration scrubPeriod) {}
