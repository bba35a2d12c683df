// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The region log: one storage engine for tiers that survive a restart, over devices that are memory
 * or files.
 */
package dev.terrace.region;
