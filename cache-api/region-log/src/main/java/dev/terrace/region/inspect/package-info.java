// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** Reads the folder of a stopped cache, without changing it, for operators. */
package dev.terrace.region.inspect;
