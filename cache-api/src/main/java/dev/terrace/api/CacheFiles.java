// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The files of a cache by name. Thread-safe. */
public final class CacheFiles {

  private final Map<String, CacheFile> byName = new ConcurrentHashMap<>();
  private final boolean areEncrypted;
  private volatile Consumer<CacheFile> newFiles = file -> {};
  private volatile BiConsumer<CacheFile, String> origins = CacheFile::setOrigin;

  /** No files, none of which is encrypted unless that is set. */
  public CacheFiles() {
    this(false);
  }

  /**
   * No files.
   *
   * @param areEncrypted whether a file counts as encrypted until more is known
   */
  public CacheFiles(boolean areEncrypted) {
    this.areEncrypted = areEncrypted;
  }

  /** Sets the receiver of each new file, before any tier has a block of it. */
  public void whenNew(Consumer<CacheFile> receiver) {
    newFiles = receiver;
  }

  /** Sets the receiver of origins that tiers have recovered; without one they are set. */
  public void whenRecovered(BiConsumer<CacheFile, String> receiver) {
    origins = receiver;
  }

  /**
   * The file of a name, for lookups and evictions. If there is none, the answer is one of which no
   * tier has a block or takes one.
   */
  public CacheFile find(String name) {
    CacheFile file = byName.get(name);
    return file == null ? new CacheFile(this, name, 0, areEncrypted) : file;
  }

  /**
   * The file of a name, made if there is none. The caller {@linkplain CacheFile#release ends} the
   * hold.
   */
  public CacheFile hold(String name) {
    return hold(name, made -> {});
  }

  /**
   * The same.
   *
   * @param first receives a new file before all others
   */
  public CacheFile hold(String name, Consumer<CacheFile> first) {
    while (true) {
      CacheFile file = byName.get(name);
      if (file != null && file.hold()) {
        return file;
      }
      CacheFile made = new CacheFile(this, name, 1, areEncrypted);
      if (file == null
          ? byName.putIfAbsent(name, made) == null
          : byName.replace(name, file, made)) {
        first.accept(made);
        newFiles.accept(made);
        return made;
      }
    }
  }

  /** All files, weakly consistent. */
  public Collection<CacheFile> all() {
    return Collections.unmodifiableCollection(byName.values());
  }

  void recovered(CacheFile file, String origin) {
    origins.accept(file, origin);
  }

  void forget(CacheFile file) {
    byName.remove(file.name(), file);
  }
}
