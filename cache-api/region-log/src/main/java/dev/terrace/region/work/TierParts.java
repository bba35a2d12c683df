// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.region.log.QuotaBlocks;
import dev.terrace.region.log.Residents;
import dev.terrace.region.read.BlockReader;
import java.time.Duration;

/**
 * What the workers of a tier's devices share.
 *
 * @param reader reads blocks that are moved or verified
 * @param demotions offers the blocks that a reclaim evicts
 * @param quotas which blocks stay, and which leave for others
 * @param scrubPeriod time in which all blocks at rest are verified; zero for never
 */
public record TierParts(
    Residents residents,
    BlockReader reader,
    DemotionOffers<?> demotions,
    QuotaBlocks quotas,
    Duration scrubPeriod) {}
