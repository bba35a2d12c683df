// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** Memory for the region log: direct memory and its limit, counted buffers, faults of mappings. */
package dev.terrace.region.memory;
