// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** The page {@code /terrace} of a region server. */
package dev.terrace.hbase.page;
