// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.diagnosis;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.terrace.api.CacheFile;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.TierListener;
import dev.terrace.hbase.diagnosis.FileEvents.Event.Request;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.Owner;
import dev.terrace.tiered.MoveOutcome;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Counts misses, puts, refusals, moves and evictions of blocks by file. Hits cost nothing.
 * Remembers {@value #MAX_FILES} files, those with the most events. Thread-safe.
 */
public final class FileEvents {

  /** Each takes about 1 KB of heap. */
  static final int MAX_FILES = 5_000;

  private final FileCatalog known;
  private final LongSupplier millisClock;
  private final long startMillis;
  private final Cache<String, History> histories =
      Caffeine.newBuilder().maximumSize(MAX_FILES).executor(Runnable::run).build();

  /** Listens to a cache that is not yet in use. */
  public FileEvents(TieredCache<?> tiers, FileCatalog known, LongSupplier millisClock) {
    this.known = known;
    this.millisClock = millisClock;
    this.startMillis = millisClock.getAsLong();
    tiers.setListener(
        this::inTier, (from, to, file, outcome) -> count(file, new Event(from, to, outcome), 1));
  }

  /**
   * Sums of events.
   *
   * @param recent in the last 10 to 20 minutes
   * @param all since {@code sinceMillis}
   */
  record Counts(Map<Event, Long> recent, Map<Event, Long> all, long sinceMillis, long nowMillis) {}

  /**
   * A total count, and the counts of the current and the previous ten-minute period, so that the
   * recent count covers the last 10 to 20 minutes. Thread-safe.
   */
  public static final class Count {

    public static final long PERIOD_MILLIS = Duration.ofMinutes(10).toMillis();

    private long period;
    private long current;
    private long last;
    private long all;

    /** The start of the recent counts at a given time. */
    public static long recentSince(long millis) {
      return (Math.floorDiv(millis, PERIOD_MILLIS) - 1) * PERIOD_MILLIS;
    }

    public synchronized void add(int count, long millis) {
      advance(millis);
      current += count;
      all += count;
    }

    private void advance(long millis) {
      long now = Math.floorDiv(millis, PERIOD_MILLIS);
      if (now != period) {
        last = now == period + 1 ? current : 0;
        current = 0;
        period = now;
      }
    }

    public synchronized long all() {
      return all;
    }

    public synchronized long recent(long millis) {
      advance(millis);
      return current + last;
    }
  }

  /** The events of one file, and the family that it belongs to. Thread-safe. */
  private final class History {

    private final long firstMillis = millisClock.getAsLong();
    private final Map<Event, Count> counts = new ConcurrentHashMap<>();
    private volatile Owner.Place place;

    /**
     * The file's family; null if unknown. Call it at each event, because this outlives the file.
     */
    Owner.Place place(CacheFile file) {
      if (place == null || place.family() == null) {
        Owner.Place now = known.owner(file).place();
        place = now == null ? place : now;
      }
      return place;
    }
  }

  private TierListener inTier(String tier) {
    return new TierListener() {
      @Override
      public void put(CacheFile file, PutOutcome outcome) {
        count(file, new Event(tier, null, outcome), 1);
      }

      @Override
      public void evicted(CacheFile file, EvictionCause cause, int blocks) {
        count(file, new Event(tier, null, cause), blocks);
      }
    };
  }

  /** A counted read missed; its block is to be cached, or not. */
  public void missed(CacheFile file, boolean toCache) {
    count(file, Event.of(toCache ? Request.MISS : Request.MISS_NOT_TO_CACHE), 1);
  }

  /** The whole cache's outcome for a block that HBase offered. */
  public void put(CacheFile file, Source source, PutOutcome outcome) {
    String where = source.isAhead() ? Event.AHEAD : Event.READS;
    count(file, new Event(where, null, outcome), 1);
  }

  /** HBase does not cache a file, or a block of it, because the data is cold. */
  public void cold(CacheFile file) {
    count(file, Event.of(Request.COLD), 1);
  }

  /** All blocks of a file are about to be evicted. */
  public void evicting(CacheFile file) {
    count(file, Event.of(Request.FILE_EVICTED), 1);
  }

  private void count(CacheFile file, Event event, int blocks) {
    long now = millisClock.getAsLong();
    History history = histories.get(file.name(), name -> new History());
    history.place(file);
    history.counts.computeIfAbsent(event, added -> new Count()).add(blocks, now);
  }

  boolean has(String file) {
    return histories.getIfPresent(file) != null;
  }

  /** Whether no file has been forgotten so far. */
  boolean isComplete() {
    return histories.estimatedSize() < MAX_FILES;
  }

  /**
   * The sums over some of the remembered files.
   *
   * @param which selects them by their name and their families, as far as those are known
   */
  Counts counts(BiPredicate<String, Set<Owner.Place>> which) {
    Map<Event, Long> recent = new HashMap<>();
    Map<Event, Long> all = new HashMap<>();
    long now = millisClock.getAsLong();
    long first = now;
    for (Map.Entry<String, History> entry : histories.asMap().entrySet()) {
      History history = entry.getValue();
      Owner.Place place = history.place(known.find(entry.getKey()));
      if (which.test(entry.getKey(), place == null ? Set.of() : Set.of(place))) {
        first = Math.min(first, history.firstMillis);
        history.counts.forEach(
            (event, count) -> {
              all.merge(event, count.all(), Long::sum);
              recent.merge(event, count.recent(now), Long::sum);
            });
      }
    }
    recent.values().removeIf(count -> count == 0);
    return new Counts(recent, all, isComplete() ? startMillis : first, now);
  }

  /**
   * Something that happened to blocks.
   *
   * @param where the tier, the tier that a block moves from, {@link #READS}, or {@link #AHEAD}
   * @param to the tier that a block moves to; null if it is no move
   * @param what a {@link PutOutcome}, {@link EvictionCause}, {@link MoveOutcome}, or {@link
   *     Request}
   */
  record Event(String where, String to, Enum<?> what) {

    /** For people: HBase's requests first, then by place. */
    static final Comparator<Event> ORDER =
        Comparator.comparing((Event event) -> !event.isFromHBase())
            .thenComparing(event -> event.to() != null)
            .thenComparing(Event::place)
            .thenComparing(event -> event.what() instanceof EvictionCause)
            .thenComparing(event -> event.what().name());

    /** Stands for HBase itself: its requests, and its puts of blocks that were just read. */
    static final String READS = "reads";

    /** Stands for HBase's puts of blocks not read yet, by prefetch, flush and compaction. */
    static final String AHEAD = "writes and prefetch";

    /** HBase's requests to the whole cache, apart from puts. */
    enum Request {
      /** A read missed, and will cache the block. */
      MISS,
      /** A read missed, and will not cache the block: a compaction, or a scan without caching. */
      MISS_NOT_TO_CACHE,
      /** HBase asked whether to cache data of this age, and its data tiering said no. */
      COLD,
      /** HBase evicted the whole file. */
      FILE_EVICTED
    }

    static Event of(Request request) {
      return new Event(READS, null, request);
    }

    boolean isFromHBase() {
      return where.equals(READS) || where.equals(AHEAD);
    }

    String name() {
      if (what instanceof PutOutcome) {
        return "put: " + what;
      }
      return what instanceof EvictionCause ? "evicted: " + what : what.name();
    }

    String place() {
      return to == null ? where : where + " to " + to;
    }

    /** The sum of the counts of some events. */
    static long sum(Map<Event, Long> counts, Predicate<Event> which) {
      return counts.entrySet().stream()
          .filter(entry -> which.test(entry.getKey()))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }
  }
}
