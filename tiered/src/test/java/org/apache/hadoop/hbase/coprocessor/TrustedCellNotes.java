// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.coprocessor;

import dev.terrace.hbase.blocks.CellNotes;

/** By its package alone one of HBase's own observers, as some of others are. */
public class TrustedCellNotes extends CellNotes {}
