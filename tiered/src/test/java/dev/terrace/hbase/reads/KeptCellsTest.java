// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import org.junit.jupiter.api.Tag;

/** Released memory waits before it is used again. */
@Tag("long")
class KeptCellsTest extends KeptCellsContract {}
