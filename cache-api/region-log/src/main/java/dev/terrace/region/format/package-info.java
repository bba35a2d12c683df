// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** The bytes of the region log: superblock, regions, records, tables, keyed checks. No I/O. */
package dev.terrace.region.format;
