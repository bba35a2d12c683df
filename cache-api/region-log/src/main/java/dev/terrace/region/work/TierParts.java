// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.region.log.Residents;
import dev.terrace.region.read.BlockReader;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What the workers of a tier's devices share.
 *
 * @param reader reads blocks that are moved or verified
 * @param demotions offers the blocks that a reclaim evicts
 * @param capacityBytes capacity of the tier; quotas are shares of it
 * @param scrubPeriod time in which all blocks at rest are verified; zero for never
 */
public record TierParts(
    Residents residents,
    BlockReader reader,
    DemotionOffers<?> demotions,
    LongSupplier capacityBytes,
    Duration scrubPeriod) {}
