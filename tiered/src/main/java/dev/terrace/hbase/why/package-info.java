// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/** Why a file, or a table, is not cached: what became of its blocks, and which reason is behind it. */
package dev.terrace.hbase.why;
