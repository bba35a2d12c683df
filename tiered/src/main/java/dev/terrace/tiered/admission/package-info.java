// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** Decides which blocks a tier takes: re-use, frequency and the write limit. */
package dev.terrace.tiered.admission;
