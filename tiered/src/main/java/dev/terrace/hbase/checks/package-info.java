// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Preflight checks: what would stop a region server from starting, and what would make its cache
 * ineffective. The server and the command {@code doctor} run the same checks; so nothing here knows
 * HBase, Hadoop or SLF4J.
 */
package dev.terrace.hbase.checks;
