// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.RateLimitedLog;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.regionserver.DataTieringManager;

/**
 * Asks HBase's data tiering by age whether a block is hot, and which files are cold. Cold data is
 * not cached. HBase has data tiering from 2.6 on, off by default; without it all data is hot.
 * Thread-safe.
 */
public final class DataTiering {

  private static final boolean PRESENT = isPresent();

  private final RateLimitedLog log;

  public DataTiering(RateLimitedLog log) {
    this.log = log;
  }

  private static boolean isPresent() {
    String name = "org.apache.hadoop.hbase.regionserver.DataTieringManager";
    try {
      Class.forName(name, true, DataTiering.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Whether to cache a file's data. */
  public boolean isHot(HFileInfo file, Configuration conf) {
    return !PRESENT || ask(() -> Present.isHot(file, conf), true);
  }

  /** Whether to cache data whose youngest cell has the given timestamp. */
  public boolean isHot(long maxTimestamp, Configuration conf) {
    return !PRESENT || ask(() -> Present.isHot(maxTimestamp, conf), true);
  }

  /** The names of the open store files whose data is cold. */
  public Set<String> coldFiles() {
    return PRESENT ? ask(Present::coldFiles, Set.of()) : Set.of();
  }

  private <T> T ask(Supplier<T> question, T otherwise) {
    try {
      return question.get();
    } catch (RuntimeException | Error e) {
      log.warn("Taken for hot: HBase's data tiering does not know the age of some data", e);
      return otherwise;
    }
  }

  /** Loaded only where HBase has the class. */
  private static final class Present {

    static boolean isHot(HFileInfo file, Configuration conf) {
      DataTieringManager manager = DataTieringManager.getInstance();
      return manager == null || manager.isHotData(file, conf);
    }

    static boolean isHot(long maxTimestamp, Configuration conf) {
      DataTieringManager manager = DataTieringManager.getInstance();
      return manager == null || manager.isHotData(maxTimestamp, conf);
    }

    static Set<String> coldFiles() {
      DataTieringManager manager = DataTieringManager.getInstance();
      return manager == null ? Set.of() : manager.getColdFilesList().keySet();
    }
  }
}
