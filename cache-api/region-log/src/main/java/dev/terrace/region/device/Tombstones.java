// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.region.format.TombstoneList;
import dev.terrace.region.format.TombstoneList.Eviction;
import dev.terrace.region.format.TombstoneLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Tombstones for evicted blocks whose records are still on the device. They survive a restart, and
 * expire once the records are overwritten.
 *
 * <p>Any thread may add evictions. The device's worker reads them before it recovers blocks, and
 * appends new ones within about a second. When that list gets long, and after a failure, it writes
 * those that have not expired to another place. Many of one file are merged into one. If there are
 * too many files, those that had no eviction for the longest time are dropped.
 */
public final class Tombstones {

  /*
   * A region keeps the records of evicted blocks until it is rewritten, and a restart would find
   * them. An eviction takes a sequence after the block has left the index. Records with larger
   * sequences were put later, and stay. A concurrent put may have a smaller sequence; its block is
   * then a miss after the restart.
   */

  private static final int MAX_PER_FILE = 64;

  /** Bounds the memory while a device takes no writes, to some ten megabytes. */
  private static final int MAX_FILES = 1 << 17;

  /** If there are more since the last save, all are written. */
  private static final int MAX_APPENDED = 4_096;

  /** At least as much is appended before all are written again. */
  private static final int MIN_APPENDED_BYTES = 1 << 20;

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RegionDevice io;
  private final LongSupplier nanoTime;
  private final RateLimitedLog log;

  /** The file with the newest eviction last. */
  private final Map<String, List<Eviction>> byFile = new LinkedHashMap<>();

  /** Those since the last save; null if all must be written. */
  private List<Eviction> added;

  /** Whether there may be any. While there are none, a recovery takes no lock. */
  private volatile boolean any;

  private volatile boolean changed;

  /* Used by the worker alone. */

  /** What was read or written last; null before that. */
  private TombstoneLog newest;

  /** Where the next list is appended, and where the place counts as full. */
  private int endBytes;

  private int fullBytes;
  private long saveAtNanos;

  public Tombstones(RegionDevice io, LongSupplier nanoTime) {
    this.io = io;
    this.nanoTime = nanoTime;
    this.saveAtNanos = nanoTime.getAsLong();
    this.log = new RateLimitedLog(LoggerFactory.getLogger(Tombstones.class), nanoTime);
  }

  /** Adds an eviction that was applied to the index or, during a recovery, is about to be. */
  public synchronized void add(Eviction eviction) {
    insert(eviction);
    added = added == null || added.size() >= MAX_APPENDED ? null : added;
    if (added != null) {
      added.add(eviction);
    }
    changed = true;
  }

  private synchronized void insert(Eviction eviction) {
    String file = eviction.file();
    List<Eviction> ofFile = byFile.getOrDefault(file, new ArrayList<>(1));
    if (ofFile.stream().anyMatch(before -> before.covers(eviction))) {
      return;
    }
    ofFile.removeIf(eviction::covers);
    ofFile.add(eviction);
    if (ofFile.size() > MAX_PER_FILE) {
      Eviction all = ofFile.stream().reduce(Eviction::and).orElseThrow();
      ofFile.clear();
      ofFile.add(all);
    }
    byFile.remove(file);
    byFile.put(file, ofFile);
    if (byFile.size() > MAX_FILES) {
      byFile.remove(byFile.keySet().iterator().next());
    }
    any = true;
  }

  /** Whether a record that a recovery finds was evicted. */
  public boolean keepsOut(String file, long offset, long sequence) {
    return any && isEvicted(file, offset, sequence);
  }

  private synchronized boolean isEvicted(String file, long offset, long sequence) {
    return byFile.getOrDefault(file, List.of()).stream()
        .anyMatch(each -> each.concerns(offset, sequence));
  }

  /** Reads the evictions saved before the restart. The worker does so before it recovers blocks. */
  public void load() {
    try {
      tryToLoad();
    } catch (IOException e) {
      io.health().recordFailed("list of evictions not read; evicted blocks may be cached again", e);
    }
  }

  private void tryToLoad() throws IOException {
    TombstoneLog found = newest(io.device());
    found.evictions().forEach(this::insert);
    newest = found;
  }

  /** The evictions that were saved last on a device. */
  public static TombstoneLog newest(Device device) throws IOException {
    TombstoneLog newest = TombstoneLog.NONE;
    for (int place = 0; place < TombstoneLog.PLACES; place++) {
      TombstoneLog found = TombstoneLog.read(place, device.evictions(place), device.secret());
      newest = found.lastNumber() > newest.lastNumber() ? found : newest;
    }
    return newest;
  }

  /** Whether there are changes, and it is time to save them. */
  public boolean isDue() {
    return changed && nanoTime.getAsLong() - saveAtNanos >= 0;
  }

  /**
   * Saves the evictions if they have changed since the last save. Called by the worker.
   *
   * @param oldestSequence no record on the device has a smaller one; costs a visit of all regions,
   *     so it is asked only before all evictions are written
   */
  public void save(LongSupplier oldestSequence) {
    if (!changed) {
      return;
    }
    changed = false;
    saveAtNanos = nanoTime.getAsLong() + PAUSE_NANOS;
    boolean saved = false;
    List<Eviction> more = takeAdded();
    try {
      if (newest == null) {
        // A list that cannot be read is never overwritten.
        tryToLoad();
      }
      long number = newest.lastNumber() + 1;
      TombstoneList appended = new TombstoneList(number, more == null ? List.of() : more);
      if (more != null && endBytes + appended.sizeBytes() <= fullBytes) {
        write(newest.place(), endBytes, appended);
      } else {
        TombstoneList all = new TombstoneList(number, fitting(oldestSequence.getAsLong()));
        write(newest.place() == 0 ? 1 : 0, 0, all);
        fullBytes = 2 * all.sizeBytes() + MIN_APPENDED_BYTES;
      }
      saved = true;
    } catch (IOException e) {
      io.health()
          .recordFailed(
              "list of evictions not saved; evicted blocks may be cached again after a restart", e);
    } finally {
      if (!saved) {
        // Part of the list may be there: nothing is appended to it.
        writeAll();
      }
    }
  }

  private synchronized List<Eviction> takeAdded() {
    List<Eviction> taken = added;
    added = new ArrayList<>();
    return taken;
  }

  private synchronized void writeAll() {
    added = null;
    changed = true;
  }

  private void write(int place, int position, TombstoneList list) throws IOException {
    io.writeEvictions(place, position, list.encode(io.device().secret()));
    newest = new TombstoneLog(place, list.number(), List.of());
    endBytes = position + list.sizeBytes();
  }

  /** The newest evictions of records that are still on the device, up to the size of a list. */
  private synchronized List<Eviction> fitting(long oldestSequence) {
    byFile.values().forEach(list -> list.removeIf(each -> each.lastSequence() < oldestSequence));
    byFile.values().removeIf(List::isEmpty);
    int excessBytes = sizeBytes(all()) - (TombstoneList.MAX_BYTES - TombstoneList.HEADER_BYTES);
    if (excessBytes > 0) {
      log.warn(
          "%s: list of evicted blocks is full (%d bytes); the oldest may be cached again after a restart"
              .formatted(io.device().path(), TombstoneList.MAX_BYTES),
          null);
    }
    Iterator<List<Eviction>> oldest = byFile.values().iterator();
    while (excessBytes > 0) {
      excessBytes -= sizeBytes(oldest.next());
      oldest.remove();
    }
    any = !byFile.isEmpty();
    return all();
  }

  /** All evictions, for another device, which saves them. */
  public synchronized List<Eviction> take() {
    changed = false;
    return all();
  }

  private List<Eviction> all() {
    return byFile.values().stream().flatMap(List::stream).toList();
  }

  private static int sizeBytes(List<Eviction> evictions) {
    return evictions.stream().mapToInt(TombstoneList::sizeBytes).sum();
  }
}
