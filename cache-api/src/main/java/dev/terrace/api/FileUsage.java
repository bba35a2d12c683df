// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/**
 * How much of one file a tier holds.
 *
 * @param file the file
 * @param blocks resident blocks
 * @param payloadBytes their encoded bytes, as the tier stores them
 */
public record FileUsage(CacheFile file, int blocks, long payloadBytes) {}
