// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** The HBase adapter: a {@code BlockCache} over the tiers. */
package dev.terrace.hbase;
