// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Commands for operators. They look into a stopped cache, check a configuration before a start,
 * simulate what was recorded, and ask a running server. But for {@code doctor}, which runs in the
 * HBase that is installed, none needs HBase or SLF4J: the jar and a JRE run them; {@code trace}
 * needs a JDK.
 */
package dev.terrace.tools;
