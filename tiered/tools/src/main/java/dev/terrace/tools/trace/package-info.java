// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** Traces to replay, such as those that a region server recorded. */
package dev.terrace.tools.trace;
