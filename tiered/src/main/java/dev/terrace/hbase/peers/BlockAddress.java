// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

/** A block's file, and its offset in it. */
public record BlockAddress(String file, long offset) {}
