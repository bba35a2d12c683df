// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/** What HBase writes: which of its blocks are cached, by what was read of the blocks before. */
package dev.terrace.hbase.heat;
