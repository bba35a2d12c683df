// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

/**
 * A store that a file counts for.
 *
 * @param region the encoded name of the region in whose directory the store has the file
 * @param table the table with its namespace; null if it is unknown
 * @param family the column family; null if it is unknown
 */
public record Owner(String region, String table, String family) {

  static final Owner UNKNOWN = new Owner(null, null, null);

  /**
   * Where a file belongs.
   *
   * @param table the table with its namespace
   * @param family the column family; null if it is unknown
   */
  public record Place(String table, String family) {}

  /** This owner, with unknown parts taken from another one. */
  Owner or(Owner other) {
    return new Owner(
        region == null ? other.region : region,
        table == null ? other.table : table,
        family == null ? other.family : family);
  }

  /** The owner's table and family; null if the table is unknown. */
  public Place place() {
    return table == null ? null : new Place(table, family);
  }
}
