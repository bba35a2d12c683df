// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The files of tiers that are used without HBase, held to the end. Thread-safe. */
public final class HeldFiles {

  private final CacheFiles all = new CacheFiles();
  private final Map<String, CacheFile> held = new ConcurrentHashMap<>();

  public CacheFiles all() {
    return all;
  }

  public CacheFile file(String name) {
    return held.computeIfAbsent(name, all::hold);
  }
}
