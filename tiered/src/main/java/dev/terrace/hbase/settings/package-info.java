// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Terrace's settings in hbase-site.xml: read, validated, and changed while the cache runs. Nothing
 * here knows HBase or Hadoop.
 */
package dev.terrace.hbase.settings;
