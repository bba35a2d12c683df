// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;

/**
 * A file that is cached or open: the one object that stands for its name, made by {@link
 * CacheFiles}. It carries what the tiers and the application know of the file, so that they hash no
 * name. Thread-safe.
 */
public final class CacheFile {

  /*
   * A file is forgotten when its last holder releases it, and its count of holders never rises from
   * zero. Holders are each tier that has blocks of it, each put from outside, each demotion, a
   * recovery that adds a block, and the application, for as long as it has the file open or writes
   * it. A tier that has no block of the file holds it before it adds one, and adds none if the file
   * was forgotten.
   *
   * A late thread may still have the object of a forgotten file, while a new object has its name.
   * The tiers' tables in the old object are empty, and stay so. A lookup or an eviction that uses
   * it finds nothing. That is right: it began before the file was forgotten, and at that moment the
   * file had no block. Its promotion of a block adds nothing: an eviction has removed the block
   * meanwhile. What the application records in it is lost, as it would be if it had been recorded
   * before the file was forgotten.
   */
  private static final Object[] NO_TABLES = {};
  private static final AtomicIntegerFieldUpdater<CacheFile> HOLDERS =
      AtomicIntegerFieldUpdater.newUpdater(CacheFile.class, "holders");
  private static final AtomicIntegerFieldUpdater<CacheFile> CHANGES =
      AtomicIntegerFieldUpdater.newUpdater(CacheFile.class, "changes");

  private final CacheFiles files;
  private final String name;
  private final int hash;
  private volatile int holders;
  private volatile int changes;
  private volatile boolean isEncrypted;
  private volatile String origin = "";

  /** Pairs of an owner and its table. Replaced, never changed. */
  private volatile Object[] tables = NO_TABLES;

  /**
   * A file.
   *
   * @param files those that it is in until it is forgotten
   * @param holders 1 for the caller, or 0 for a forgotten file
   * @param isEncrypted whether it counts as encrypted until that is set
   */
  CacheFile(CacheFiles files, String name, int holders, boolean isEncrypted) {
    this.files = files;
    this.isEncrypted = isEncrypted;
    this.name = name;
    this.hash = name.hashCode();
    this.holders = holders;
  }

  /** The file's name, without a directory. */
  public String name() {
    return name;
  }

  /**
   * Keeps the file from being forgotten until {@link #release}.
   *
   * @return false if it was forgotten already
   */
  public boolean hold() {
    for (int count = holders; count > 0; count = holders) {
      if (HOLDERS.compareAndSet(this, count, count + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Ends a hold. Without another one, the file is forgotten. */
  public void release() {
    if (HOLDERS.decrementAndGet(this) == 0) {
      files.forget(this);
    }
  }

  /**
   * Whether the file is encrypted where its blocks come from, or may be: they must not be on a
   * device in plain text.
   */
  public boolean isEncrypted() {
    return isEncrypted;
  }

  /** Sets whether the file is encrypted, or may be. */
  public void setEncrypted(boolean encrypted) {
    isEncrypted = encrypted;
  }

  /**
   * Where the file belongs: any text of the application, which a tier that survives a restart
   * stores with the file's name, and {@linkplain #recovered hands back}. Empty if it is unknown.
   */
  public String origin() {
    return origin;
  }

  /** Sets the origin, which is lost with a restart if it has more than 1,024 bytes of UTF-8. */
  public void setOrigin(String text) {
    origin = text;
  }

  /** Called by a tier with the origin of a file whose blocks it has recovered, maybe repeatedly. */
  public void recovered(String recoveredOrigin) {
    files.recovered(this, recoveredOrigin);
  }

  /** Counts a change of the blocks of the file in a tier. Call it after the change. */
  public void changed() {
    CHANGES.incrementAndGet(this);
  }

  /** Equal to an earlier value, read before its blocks were, if these are still the same. */
  public int changes() {
    return changes;
  }

  /**
   * The table of an owner, such as a tier's index or a class of the application; null if it has
   * none.
   */
  public Object table(Object owner) {
    Object[] pairs = tables;
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i] == owner) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  /** The table of an owner, made if it has none. It stays until the file is forgotten. */
  @SuppressWarnings("unchecked") // an owner has tables of one type
  public synchronized <T> T table(Object owner, Supplier<T> maker) {
    Object table = table(owner);
    if (table == null) {
      table = maker.get();
      Object[] pairs = Arrays.copyOf(tables, tables.length + 2);
      pairs[tables.length] = owner;
      pairs[tables.length + 1] = table;
      tables = pairs;
    }
    return (T) table;
  }

  /** The name's hash, so that it is the same for each file of that name. */
  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return name;
  }
}
