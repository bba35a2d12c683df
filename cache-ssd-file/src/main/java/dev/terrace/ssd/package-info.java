// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** The SSD tier: the file devices below the region log. */
package dev.terrace.ssd;
