// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.acme;

import acme.KeptRows;

/** Somebody's observer in a package below HBase's. */
public class KeptRowsBelowHBase extends KeptRows {}
