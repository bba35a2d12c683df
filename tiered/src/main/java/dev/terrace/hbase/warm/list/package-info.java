// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/** Lists of heat in memory and as bytes; knows no HBase. */
package dev.terrace.hbase.warm.list;
