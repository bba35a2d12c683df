// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.hbase.settings.NestedShares;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once of each namespace, table or family with a share of a tier that the cluster does not
 * have: its name may be mistyped. Not thread-safe.
 */
public final class UnknownTables {

  private static final Logger LOG = LoggerFactory.getLogger(UnknownTables.class);

  private final Set<String> seen = new HashSet<>();

  /**
   * Checks new names. Reads the descriptors of their tables, which may wait for HBase's store.
   *
   * @param names as {@link NestedShares} has them
   * @throws IOException if they cannot be read now; the next call tries again
   */
  public void check(Set<String> names, TableDescriptors tables) throws IOException {
    seen.retainAll(names);
    for (String name : names) {
      if (!name.equals(NestedShares.EACH_OTHER) && !seen.contains(name) && !exists(name, tables)) {
        LOG.warn(
            "hbase.terrace.tables.min or .max names {}, which does not exist: the share has no"
                + " effect until it is created; check the spelling",
            name);
      }
      seen.add(name);
    }
  }

  private static boolean exists(String name, TableDescriptors tables) throws IOException {
    if (NestedShares.isNamespace(name)) {
      return !tables.getByNamespace(name.substring(0, name.indexOf(':'))).isEmpty();
    }
    int slash = name.indexOf('/');
    String tableName = slash < 0 ? name : name.substring(0, slash);
    TableDescriptor table;
    try {
      table = tables.get(TableName.valueOf(tableName));
    } catch (IllegalArgumentException e) {
      LOG.debug("{} is not a table name", tableName, e);
      return false;
    }
    return table != null
        && (slash < 0 || table.hasColumnFamily(Bytes.toBytes(name.substring(slash + 1))));
  }
}
