// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.region.index.KeptBlocks;
import dev.terrace.region.log.Residents;
import dev.terrace.region.read.BlockReader;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the workers of a tier's devices have in common.
 *
 * @param reader reads blocks that are moved or verified
 * @param demotions offers the blocks that a reclaim evicts
 * @param recovering how many devices are not recovered yet
 * @param kept the blocks that a reclaim writes anew
 * @param scrubPeriod time in which all blocks at rest are verified; zero for never
 */
public record TierParts(
    Residents residents,
    BlockReader reader,
    DemotionOffers<?> demotions,
    AtomicInteger recovering,
    KeptBlocks kept,
    Duration scrubPeriod) {}
