// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import dev.terrace.hbase.files.FileOrigin.Extent;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What HBase tells of a file. It lies in the {@link CacheFile}, and is forgotten with it: once no
 * tier has a block of the file, no store lists it, and nothing writes it. Thread-safe.
 */
public final class FileFacts {

  /**
   * A file, or a reference to a part of one, that was fully cached.
   *
   * @param name of the file, the link or the reference
   * @param file the file that contains the blocks
   */
  public record Completion(String name, CacheFile file, String region, Extent extent) {}

  /**
   * The stores that had a file.
   *
   * @param scan the number of the last scan that found them
   * @param stores never changed; none if the last one split or merged
   */
  record Listing(long scan, List<OpenStoreFile> stores) {

    static final Listing NONE = new Listing(-1, List.of());

    boolean isNone() {
      return scan < 0;
    }

    /** The stores; none if this was found before a scan. */
    List<OpenStoreFile> since(long first) {
      return scan < first ? List.of() : stores;
    }
  }

  /** {@link Listing#NONE} if no scan has found the file. */
  volatile Listing listing = Listing.NONE;

  /** The stores that a walk has found so far; null outside a walk. Used by the walking thread. */
  List<OpenStoreFile> found;

  /** The number of the last scan that holds the file. */
  volatile long heldBy = -1;

  /**
   * The file's store according to a key, a path or the log; null if it is unknown. Right unless the
   * file is read by a link.
   */
  volatile Owner guess;

  /** The completed prefetches of the file, and of links and references to it, by their names. */
  final Map<String, Completion> completions = new ConcurrentHashMap<>();

  /** Whether its blocks leave first. */
  volatile boolean isLeaving;

  // Used by the thread that decides which files leave first.
  /** Whether the tiers were told to evict it first. */
  boolean isTold;

  /** When it was first found without a store; null if it has one. */
  Long absentSince;

  private FileFacts() {}

  static FileFacts of(CacheFile file) {
    FileFacts facts = (FileFacts) file.table(FileFacts.class);
    return facts != null ? facts : file.table(FileFacts.class, FileFacts::new);
  }

  /** Whether all stores that read a file expect its data blocks in this form. */
  public static boolean isReadable(CacheFile file, boolean packed) {
    for (OpenStoreFile store : of(file).listing.stores) {
      if (store.expects(!packed)) {
        return false;
      }
    }
    return true;
  }

  /** Whether nothing tells where the file belongs. */
  boolean isUnknown() {
    return listing.isNone() && guess == null;
  }

  /** Makes what a walk has found the listing. Returns whether that differs from the one before. */
  boolean publish(long walk) {
    List<OpenStoreFile> before = listing.stores;
    List<OpenStoreFile> now = found;
    if (now == null) {
      return false;
    }
    listing = new Listing(walk, now);
    heldBy = walk;
    found = null;
    return !now.equals(before);
  }

  /**
   * Guesses the owner; what is unknown of it stays as it was. Returns whether the guess changed.
   */
  synchronized boolean guess(Owner owner) {
    Owner before = guess;
    if (owner.region() != null) {
      guess = before == null ? owner : owner.or(before);
    }
    return !Objects.equals(before, guess);
  }
}
