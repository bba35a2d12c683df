// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** The persistent memory tier: the mapped device below the region log. */
package dev.terrace.pmem;
