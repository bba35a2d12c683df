// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** What other sizes of the tiers would bring: hits and writes, simulated on a sample of the keys. */
package dev.terrace.tiered.plan;
