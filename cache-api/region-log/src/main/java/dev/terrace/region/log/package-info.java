// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What a log of regions is: regions, the open one of each device, the blocks that lie there.
 */
package dev.terrace.region.log;
