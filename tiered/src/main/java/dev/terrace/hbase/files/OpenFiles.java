// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The files that the region server's stores have: holds them, and records the stores in the facts
 * of the files that contain their blocks. Callers share one scan of the stores, which is reused for
 * up to 50 times its own duration. Thread-safe.
 */
final class OpenFiles {

  /** Files held since a walk; where no server is known, nobody walks for other reasons. */
  private static final int MAX_ADDED = 10_000;

  /** A walk. Published after the facts of the files that it found. */
  private record Walk(long number, Set<String> openRegions, Set<String> tables) {}

  private final CacheFiles files;
  private final Supplier<Stream<OnlineRegion>> regions;
  private final Memo<OpenFiles> walks;
  private final Consumer<CacheFile> moved;

  private volatile Walk last = new Walk(0, Set.of(), Set.of());

  /** What is held until the next walk, each file as often as it is held. */
  private List<CacheFile> held = new ArrayList<>();

  private int added;

  /**
   * Has not walked yet.
   *
   * @param regions the region server's regions; none if the server is not known
   * @param moved receives each file whose stores have changed
   * @param nanoClock like {@link System#nanoTime}
   */
  OpenFiles(
      CacheFiles files,
      Supplier<Stream<OnlineRegion>> regions,
      Consumer<CacheFile> moved,
      LongSupplier nanoClock) {
    this.files = files;
    this.regions = regions;
    this.moved = moved;
    this.walks = new Memo<>(this::walk, nanoClock);
  }

  /** Always walks. */
  synchronized OpenFiles walk() {
    List<OnlineRegion> listed;
    try (Stream<OnlineRegion> all = regions.get()) {
      listed = all.toList();
    }
    List<CacheFile> before = held;
    held = new ArrayList<>();
    added = 0;
    Walk next = new Walk(last.number + 1, new HashSet<>(), new HashSet<>());
    add(listed, next.number);
    for (OnlineRegion region : listed) {
      if (region.isOpen()) {
        next.openRegions.add(region.name());
      }
      region.files().forEach(store -> next.tables.add(store.owner().table()));
    }
    last = next;
    before.forEach(CacheFile::release);
    return this;
  }

  /** Adds a region that has opened, without a walk. */
  synchronized void opened(OnlineRegion region) {
    add(List.of(region), last.number);
  }

  private void add(List<OnlineRegion> listed, long walk) {
    int first = held.size();
    for (OnlineRegion region : listed) {
      for (OpenStoreFile store : region.files()) {
        CacheFile file = files.hold(store.name(), made -> FileFacts.of(made).guess(store.owner()));
        held.add(file);
        FileFacts facts = FileFacts.of(file);
        if (facts.found == null) {
          facts.found = new ArrayList<>(facts.listing.since(walk));
          // What the region had before it opened again.
          facts.found.removeIf(before -> before.owner().region().equals(region.name()));
        }
        facts.found.add(store);
        if (store.traits() != null) {
          file.setEncrypted(store.traits().isEncrypted());
        }
      }
    }
    // Published when complete: readers never see one of a file's two stores.
    held.subList(first, held.size()).stream()
        .filter(file -> FileFacts.of(file).publish(walk))
        .forEach(moved);
  }

  /** Holds a file until the next walk, which goes on if a store has the file. */
  CacheFile held(CacheFile file) {
    if (FileFacts.of(file).heldBy == last.number) {
      return file;
    }
    synchronized (this) {
      if (++added > MAX_ADDED) {
        walk();
      }
      CacheFile now = files.hold(file.name());
      held.add(now);
      FileFacts.of(now).heldBy = last.number;
      return now;
    }
  }

  /** Walks if that is due. */
  OpenFiles now() {
    return walks.get();
  }

  /** The stores that had a file at the last walk, or have opened since; none if no store has it. */
  List<OpenStoreFile> of(CacheFile file) {
    return FileFacts.of(file).listing.since(last.number);
  }

  /** Whether a region was open at the last walk, so that the walk has all files that it reads. */
  boolean isOpen(String region) {
    return last.openRegions.contains(region);
  }

  /** Whether a region server's store had a file of a table at the last walk. */
  boolean hasTable(String table) {
    return last.tables.contains(table);
  }
}
