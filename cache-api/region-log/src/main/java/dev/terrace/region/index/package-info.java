// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** The index of the region log: a block is found by file name and offset, without locks. */
package dev.terrace.region.index;
