// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

import dev.terrace.bench.server.HBaseInstall.ClassJar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The settings and the jar with which an HBase server has its files in a slow store. */
public final class SlowSettings {

  /** The scheme of its addresses. */
  static final String SCHEME = "terrace-slow";

  /** The name of the profile. */
  static final String PROFILE = "terrace.slow.profile";

  /** A file; as long as it exists, the store is not slow. */
  public static final String WARM_UP_FILE = "terrace.slow.warmup.file";

  private static final List<Class<?>> CLASSES =
      List.of(
          SlowFileSystem.class,
          SlowProfile.class,
          SlowSettings.class,
          SlowStore.class,
          SlowStoreMXBean.class);

  private SlowSettings() {}

  /** Returns settings for hbase-site.xml; the local folder is an absolute path. */
  public static Map<String, String> forHBase(String rootDirectory, SlowProfile profile) {
    return Map.of(
        "hbase.rootdir",
        SCHEME + "://" + rootDirectory,
        "fs." + SCHEME + ".impl",
        SlowFileSystem.class.getName(),
        PROFILE,
        profile.name());
  }

  /** Writes the jar for a server's {@code lib/} to an existing folder, and returns it. */
  public static Path writeJar(Path folder) throws IOException {
    return ClassJar.write(folder.resolve("terrace-slow-store.jar"), CLASSES);
  }
}
