// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What can be known of a region server before it starts: what keeps it from its start, and what
 * makes its cache poor. The server and the command {@code doctor} run the same checks; so nothing
 * here knows HBase, Hadoop or SLF4J.
 */
package dev.terrace.hbase.checks;
