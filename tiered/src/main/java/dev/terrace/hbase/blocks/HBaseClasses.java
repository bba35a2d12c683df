// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import java.security.CodeSource;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** Tells HBase's own classes from everyone else's. */
final class HBaseClasses {

  private static final String PACKAGE = "org.apache.hadoop.hbase.";
  private static final String SERVER_JAR = jarOf(HRegion.class);

  private static final ClassValue<Boolean> OWN =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return SERVER_JAR != null
              && SERVER_JAR.equals(jarOf(type))
              && type.getName().startsWith(PACKAGE);
        }
      };

  private HBaseClasses() {}

  /**
   * Whether a class comes with HBase's server: from its jar, since others put their coprocessors
   * below HBase's package, and with its name, since a fork may pack everything into one jar.
   */
  static boolean includes(Class<?> type) {
    return OWN.get(type);
  }

  /** Null if it is not known. */
  private static String jarOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null ? null : source.getLocation().toString();
  }
}
