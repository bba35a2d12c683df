// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** Records a trace: the accesses to blocks, in a file without user data, and reads it again. */
package dev.terrace.tiered.trace;
