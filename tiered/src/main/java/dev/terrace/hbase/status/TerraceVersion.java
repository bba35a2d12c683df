// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of Terrace, as it was built. */
public final class TerraceVersion {

  private static final String RESOURCE = "terrace.properties";

  private TerraceVersion() {}

  public static String current() {
    Properties properties = new Properties();
    try (InputStream in = TerraceVersion.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(
            "no " + RESOURCE + " beside the classes of Terrace: the jar is incomplete");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + RESOURCE, e);
    }
    return properties.getProperty("version");
  }
}
