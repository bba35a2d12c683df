// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What works on a log of regions: the worker of each device, its recovery, reclaim, resize and scrub.
 */
package dev.terrace.region.work;
