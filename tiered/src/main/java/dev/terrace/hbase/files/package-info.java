// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/** HBase's store files: their names, and the regions and tables that they belong to. */
package dev.terrace.hbase.files;
