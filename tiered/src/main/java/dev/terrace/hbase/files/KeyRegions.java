// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/**
 * Extracts region and family from a block's key, if the key has them. Keys carry the region's name
 * from 2.6.5 on and the family's from 2.6.6 on, the file's path before that, and none in 2.5.
 */
final class KeyRegions {

  private static final MethodHandle REGION_NAME = getter("getRegionName", String.class);
  private static final MethodHandle FAMILY_NAME = getter("getCfName", String.class);
  private static final MethodHandle FILE_PATH = getter("getFilePath", Path.class);

  private KeyRegions() {}

  /** The getter of this name; null if this HBase's keys have none. */
  private static MethodHandle getter(String name, Class<?> type) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(BlockCacheKey.class, name, MethodType.methodType(type))
          .asType(MethodType.methodType(Object.class, BlockCacheKey.class));
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("BlockCacheKey." + name + " is not public", e);
    }
  }

  private static Object get(MethodHandle getter, BlockCacheKey key) {
    try {
      return getter == null ? null : (Object) getter.invokeExact(key);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a getter of BlockCacheKey threw", e);
    }
  }

  /** The encoded name of the key's region, or null. */
  static String of(BlockCacheKey key) {
    return REGION_NAME == null ? of(path(key)) : (String) get(REGION_NAME, key);
  }

  /** The file's path in a key, or null. */
  static Path path(BlockCacheKey key) {
    return (Path) get(FILE_PATH, key);
  }

  /** The name of the column family, or null. */
  static String family(BlockCacheKey key) {
    return FAMILY_NAME == null ? name(parent(path(key))) : (String) get(FAMILY_NAME, key);
  }

  /** The name of the table in whose directory a store file lies, with its namespace, or null. */
  static String table(Path storeFile) {
    Path table = parent(parent(parent(storeFile)));
    Path namespace = parent(table);
    return namespace == null || name(table) == null
        ? null
        : namespace.getName() + ":" + table.getName();
  }

  /** The encoded name of the region in whose directory a store file lies, or null. */
  static String of(Path storeFile) {
    return name(parent(parent(storeFile)));
  }

  private static Path parent(Path path) {
    return path == null ? null : path.getParent();
  }

  /** Null for no directory, and for the root. */
  private static String name(Path directory) {
    return directory == null || directory.getName().isEmpty() ? null : directory.getName();
  }
}
