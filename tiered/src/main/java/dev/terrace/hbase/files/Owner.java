// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import java.lang.reflect.Method;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/**
 * A store that a file counts for.
 *
 * @param region the encoded name of the region in whose directory the store has the file
 * @param table the table with its namespace; null if it is unknown
 * @param family the column family; null if it is unknown
 */
public record Owner(String region, String table, String family) {

  static final Owner UNKNOWN = new Owner(null, null, null);

  // Keys carry the region's name from HBase 2.6.5 on and the family's from 2.6.6 on; earlier keys
  // carry the file's path, and in 2.5 nothing.
  private static final Method REGION_NAME = getter("getRegionName");
  private static final Method FAMILY_NAME = getter("getCfName");
  private static final Method FILE_PATH = getter("getFilePath");

  /** The directory in a region's, in which HBase writes new files. */
  private static final String BEING_WRITTEN = ".tmp";

  /**
   * Where a file belongs.
   *
   * @param table the table with its namespace
   * @param family the column family; null if it is unknown
   */
  public record Place(String table, String family) {}

  /** The store that a block's key names; unknown parts are null. */
  static Owner of(BlockCacheKey key) {
    Owner ofPath = of((Path) get(FILE_PATH, key, null));
    String region = (String) get(REGION_NAME, key, ofPath.region);
    return new Owner(
        BEING_WRITTEN.equals(region) ? null : region,
        ofPath.table,
        (String) get(FAMILY_NAME, key, ofPath.family));
  }

  /** The store in whose directory a file is; unknown parts are null. */
  static Owner of(Path storeFile) {
    Path family = parent(storeFile);
    Path directory = parent(family);
    Path region = BEING_WRITTEN.equals(name(directory)) ? parent(directory) : directory;
    Path table = parent(region);
    Path namespace = parent(table);
    boolean hasTable = namespace != null && name(table) != null;
    return new Owner(
        name(region), hasTable ? namespace.getName() + ":" + table.getName() : null, name(family));
  }

  private static Path parent(Path path) {
    return path == null ? null : path.getParent();
  }

  /** Null if there is no directory, or for the root. */
  private static String name(Path directory) {
    return directory == null || directory.getName().isEmpty() ? null : directory.getName();
  }

  /** The getter of this name; null if this HBase's keys have none. */
  private static Method getter(String name) {
    try {
      return BlockCacheKey.class.getMethod(name);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static Object get(Method getter, BlockCacheKey key, Object otherwise) {
    try {
      return getter == null ? otherwise : getter.invoke(key);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("BlockCacheKey." + getter.getName() + " failed", e);
    }
  }

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
