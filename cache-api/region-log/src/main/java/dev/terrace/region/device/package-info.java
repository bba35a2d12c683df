// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** A device as the region log uses it: its I/O, buffers, health, pace of writes, and threads. */
package dev.terrace.region.device;
