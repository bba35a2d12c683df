// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.RateLimitedLog;
import java.util.Set;
import java.util.function.Function;
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

  private final RateLimitedLog log = new RateLimitedLog(DataTiering.class);

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
    return !PRESENT || ask(manager -> manager.isHotData(file, conf), true);
  }

  /** Whether to cache data whose youngest cell has the given timestamp. */
  public boolean isHot(long maxTimestamp, Configuration conf) {
    return !PRESENT || ask(manager -> manager.isHotData(maxTimestamp, conf), true);
  }

  /** The names of the open store files whose data is cold. */
  public Set<String> coldFiles() {
    return PRESENT ? ask(manager -> manager.getColdFilesList().keySet(), Set.of()) : Set.of();
  }

  /** Call only where HBase has the class. */
  private <T> T ask(Function<DataTieringManager, T> question, T otherwise) {
    try {
      DataTieringManager manager = DataTieringManager.getInstance();
      return manager == null ? otherwise : question.apply(manager);
    } catch (RuntimeException | Error e) {
      log.warn("HBase's data tiering failed to classify data; caching it as hot", e);
      return otherwise;
    }
  }
}
