// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/** What a running cache reports: statistics, the JMX bean, the lines in the log. */
package dev.terrace.hbase.status;
