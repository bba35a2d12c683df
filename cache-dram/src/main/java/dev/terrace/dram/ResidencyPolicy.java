/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.dram;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import dev.terrace.api.BlockTraits.Residency;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Decides which blocks stay when room runs out. Thread-safe.
 *
 * <p>Two Caffeine caches (W-TinyLFU: Einziger, Friedman, Manes, "TinyLFU: A Highly Efficient Cache
 * Admission Policy", 2017) share the room: one of ordinary blocks, one of protected blocks. The
 * protected ones take what they need up to their share, the ordinary ones have the rest. Weights
 * are pages. Only the keys matter: an entry is its own key, and the blocks are found elsewhere.
 *
 * <p>Caffeine's maintenance runs on the thread that makes it due; there is no other thread.
 */
final class ResidencyPolicy<B> {

  /*
   * The room left to ordinary blocks follows the bytes of protected ones in steps, because each
   * change of a maximum makes Caffeine start anew with adapting its window.
   */
  private static final int STEPS = 256;

  private final Consumer<DramEntry<B>> evictor;
  private final double protectedShare;
  private final Cache<DramEntry<B>, DramEntry<B>> ordinary;
  private final Cache<DramEntry<B>, DramEntry<B>> guarded;
  private volatile long roomPages;
  private volatile long yieldedPages;

  /**
   * A policy over some room.
   *
   * @param evictor told of each entry that was chosen to leave, under the policy's lock: it must be
   *     quick and must not call the policy
   */
  ResidencyPolicy(long roomPages, double protectedShare, Consumer<DramEntry<B>> evictor) {
    this.roomPages = roomPages;
    this.protectedShare = protectedShare;
    this.evictor = evictor;
    this.ordinary = newCache(roomPages);
    this.guarded = newCache((long) (roomPages * protectedShare));
  }

  private Cache<DramEntry<B>, DramEntry<B>> newCache(long maximumPages) {
    return Caffeine.newBuilder()
        .executor(Runnable::run)
        .maximumWeight(maximumPages)
        .<DramEntry<B>, DramEntry<B>>weigher((key, entry) -> entry.pages)
        .evictionListener((key, entry, cause) -> evictor.accept(entry))
        .build();
  }

  private Cache<DramEntry<B>, DramEntry<B>> cacheOf(DramEntry<B> entry) {
    return isGuarded(entry) ? guarded : ordinary;
  }

  private boolean isGuarded(DramEntry<B> entry) {
    return protectedShare > 0 && entry.traits.residency() == Residency.PROTECTED;
  }

  /** Takes an entry in. Others may be evicted for it, or the entry itself. */
  void admit(DramEntry<B> entry) {
    cacheOf(entry).put(entry, entry);
    followProtected(entry);
  }

  /** Hears that an entry was read. */
  void touch(DramEntry<B> entry) {
    var unused = cacheOf(entry).getIfPresent(entry);
  }

  /** Drops an entry which left for another reason than room. */
  void forget(DramEntry<B> entry) {
    cacheOf(entry).invalidate(entry);
    followProtected(entry);
  }

  /** Evicts now what is due. Waits for another thread that is doing so. */
  void settle() {
    guarded.cleanUp();
    ordinary.cleanUp();
  }

  /**
   * The entries that would leave next, together at least {@code pages} long if there are as many.
   */
  List<DramEntry<B>> coldest(long pages) {
    List<DramEntry<B>> coldest = new ArrayList<>();
    long missing = collectColdest(ordinary, pages, coldest);
    if (missing > 0) {
      collectColdest(guarded, missing, coldest);
    }
    return coldest;
  }

  private long collectColdest(
      Cache<DramEntry<B>, DramEntry<B>> cache, long pages, List<DramEntry<B>> into) {
    return eviction(cache)
        .coldest(
            entries -> {
              long missing = pages;
              for (var it = entries.iterator(); missing > 0 && it.hasNext(); ) {
                DramEntry<B> entry = it.next().getKey();
                into.add(entry);
                missing -= entry.pages;
              }
              return missing;
            });
  }

  /** Changes the room; evicts at once what no longer fits. */
  synchronized void resize(long pages) {
    roomPages = pages;
    eviction(guarded).setMaximum((long) (pages * protectedShare));
    yieldedPages = stepsOf(guardedPages());
    eviction(ordinary).setMaximum(pages - yieldedPages);
  }

  private void followProtected(DramEntry<B> changed) {
    if (!isGuarded(changed)) {
      return;
    }
    long used = guardedPages();
    if (used > yieldedPages || used < yieldedPages - 2 * step()) {
      yieldToProtected();
    }
  }

  private synchronized void yieldToProtected() {
    long wanted = stepsOf(guardedPages());
    if (wanted != yieldedPages) {
      yieldedPages = wanted;
      eviction(ordinary).setMaximum(roomPages - wanted);
    }
  }

  private long guardedPages() {
    return eviction(guarded).weightedSize().orElse(0);
  }

  private long stepsOf(long pages) {
    return Math.min((pages + step() - 1) / step() * step(), roomPages);
  }

  private long step() {
    return Math.max(1, roomPages / STEPS);
  }

  private static <B> Policy.Eviction<DramEntry<B>, DramEntry<B>> eviction(
      Cache<DramEntry<B>, DramEntry<B>> cache) {
    return cache.policy().eviction().orElseThrow();
  }
}
