// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * A private field of a region server. The server reads its fields directly in many places, so the
 * field itself must be set. Uses reflection, since a method handle cannot set a final field.
 */
record ServerField<T>(HRegionServer server, String name) {

  /**
   * Reads the field.
   *
   * @throws IllegalStateException if this HBase has no such field, or the JVM denies access
   */
  @SuppressWarnings("unchecked")
  T get() {
    try {
      return (T) FieldUtils.readField(server, name, true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw unusable(e);
    }
  }

  /**
   * Sets the field.
   *
   * @throws IllegalStateException as {@link #get}
   */
  void set(T value) {
    try {
      FieldUtils.writeField(server, name, value, true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw unusable(e);
    }
  }

  private IllegalStateException unusable(Exception cause) {
    return new IllegalStateException(
        "this version of HBase is unknown to Terrace: "
            + HRegionServer.class.getName()
            + "."
            + name
            + " cannot be used",
        cause);
  }
}
