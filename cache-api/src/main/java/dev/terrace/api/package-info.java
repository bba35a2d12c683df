// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** The words that all tiers share: key, block, tier, outcomes and statistics. */
package dev.terrace.api;
