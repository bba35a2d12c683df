// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What reads a log of regions: lookups, readers, the objects that readers share, the regions that
 * they hold.
 */
package dev.terrace.region.read;
