// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/** HBase's blocks: how they are encoded, counted, compared and put into the tiers. */
package dev.terrace.hbase.blocks;
