// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What {@code doctor} does in a process of the HBase that is installed: it asks that for its
 * configuration, its classes and its memory.
 */
package dev.terrace.tools.doctor;
