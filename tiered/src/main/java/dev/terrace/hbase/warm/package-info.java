// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/** What is hot in a region goes with it: written down here, cached there. */
package dev.terrace.hbase.warm;
