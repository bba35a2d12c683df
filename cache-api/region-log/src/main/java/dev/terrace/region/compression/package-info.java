// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/** Compresses blocks for a device. */
package dev.terrace.region.compression;
