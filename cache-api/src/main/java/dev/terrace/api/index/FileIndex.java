// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.index;

import dev.terrace.api.CacheFile;
import dev.terrace.api.FileUsage;
import dev.terrace.api.Quota;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The blocks of a tier by file. Usage is exact, by file and in all, and counted where it changes.
 * Any thread may call any method.
 *
 * @param <T> the blocks of one file
 */
public abstract class FileIndex<T extends FileBlocks> {

  /** The files with blocks. Each adds and removes itself. */
  final Set<FileBlocks> filled = ConcurrentHashMap.newKeySet();

  private final LongAdder blocks = new LongAdder();
  private final LongAdder payloadBytes = new LongAdder();

  protected abstract T newTable(CacheFile file);

  /** The table of a file, or null if it never had a block or a quota. */
  @SuppressWarnings("unchecked") // this index makes the tables that it owns
  protected final T table(CacheFile file) {
    return (T) file.table(this);
  }

  protected final T madeTable(CacheFile file) {
    T table = table(file);
    return table != null ? table : file.table(this, () -> newTable(file));
  }

  /** The tables with blocks, weakly consistent. */
  @SuppressWarnings("unchecked")
  protected final Stream<T> tables() {
    return filled.stream().map(table -> (T) table);
  }

  final void count(int addedBlocks, long addedBytes) {
    blocks.add(addedBlocks);
    payloadBytes.add(addedBytes);
  }

  public final long blocks() {
    return blocks.sum();
  }

  public final long payloadBytes() {
    return payloadBytes.sum();
  }

  protected final int fileCount() {
    return filled.size();
  }

  public void setQuota(CacheFile file, Quota quota) {
    if (quota(file) != quota) {
      madeTable(file).quota(quota);
    }
  }

  /** The quota that a file's blocks count toward. */
  public final Quota quota(CacheFile file) {
    T table = table(file);
    return table == null ? Quota.NONE : table.quota();
  }

  public final Set<Quota> quotas() {
    return filled.stream().map(FileBlocks::quota).collect(Collectors.toSet());
  }

  /** How much of a file is resident; zeros when nothing is. */
  public final FileUsage usage(CacheFile file) {
    T table = table(file);
    return table == null ? new FileUsage(file, 0, 0) : table.usage();
  }

  /** The usage of each file with blocks, weakly consistent. */
  public final Iterator<FileUsage> files() {
    return filled.stream().map(FileBlocks::usage).filter(u -> u.blocks() > 0).iterator();
  }
}
