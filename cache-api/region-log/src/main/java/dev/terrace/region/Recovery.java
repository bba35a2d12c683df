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
package dev.terrace.region;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.DamagedRegionException;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RecordWalk;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionLife;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.memory.WriteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings back what a device holds from before: first it looks at the ends of all regions, then it
 * takes their tables into the index, the newest first, so that of two records of a block the newer
 * one stays.
 *
 * <p>Regions on memory that were open are read record by record. Nothing that is found here is
 * trusted but its place: each block is checked when it is read first.
 *
 * <p>A region that the device fails to read is neither empty nor damaged: it stays as it is, its
 * blocks are misses, and it is tried again when the device answers. Used by the device's worker.
 */
final class Recovery {

  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** A region that cannot be read so often, while the device answers, is given up. */
  private static final int ATTEMPTS = 3;

  private final RegionLog log;
  private final RegionDevice io;
  private final Residents residents;
  private final RecoveryFence fence;
  private final TierCounters counters;
  private final LongSupplier nanoTime;
  private final BooleanSupplier stopped;
  private final Consumer<Boolean> whenRun;
  private final long retryNanos;
  private final RateLimitedLog warnings;
  private final RecoveryMarks marks;

  /** What was not looked at yet. */
  private final Queue<Region> pending = new ArrayDeque<>();

  /** What could not be read, and is tried again. */
  private final List<Region> unread = new ArrayList<>();

  /** What was looked at and is to be loaded. */
  private final List<Found> found = new ArrayList<>();

  /** What the index has no memory for; null if there was enough. */
  private Remainder remainder;

  private int attempts;
  private long retryAtNanos;
  private int blocks;
  private int damaged;

  /** A region that holds something: sealed with a footer, or open with records. */
  private record Found(
      Region region,
      RegionLife life,
      long firstSequence,
      long lastSequence,
      RegionLayout.Footer footer,
      List<RegionTable.Entry> records,
      int end) {}

  /** A region that is being loaded, and its blocks that the index lacks. */
  private record Remainder(
      Region region, List<RegionTable.Entry> entries, Map<String, String> origins) {}

  /**
   * The recovery of a device.
   *
   * @param retryInterval how long a region rests that could not be read
   * @param stopped whether the tier is closed
   * @param whenRun is told after each run whether all is recovered
   */
  Recovery(
      RegionLog log,
      Residents residents,
      RecoveryFence fence,
      TierCounters counters,
      LongSupplier nanoTime,
      Duration retryInterval,
      BooleanSupplier stopped,
      Consumer<Boolean> whenRun) {
    this.log = log;
    this.io = log.io();
    this.residents = residents;
    this.fence = fence;
    this.counters = counters;
    this.nanoTime = nanoTime;
    this.stopped = stopped;
    this.whenRun = whenRun;
    this.retryNanos = retryInterval.toNanos();
    this.warnings = new RateLimitedLog(LOG, Duration.ofMinutes(1), nanoTime);
    this.marks = new RecoveryMarks(io.device(), warnings);
    Collections.addAll(pending, log.regions());
  }

  /** Whether there is something to recover, and the device may answer. */
  boolean isDue() {
    return !pending.isEmpty() || !found.isEmpty() || remainder != null || isRetryDue();
  }

  private boolean isRetryDue() {
    return !unread.isEmpty() && io.health().isUsable() && nanoTime.getAsLong() - retryAtNanos >= 0;
  }

  /** Recovers what can be read now, as far as there is memory for it. */
  void run() {
    if (isRetryDue()) {
      pending.addAll(unread);
      unread.clear();
    }
    if (io.device().generation() == 1) {
      pending.forEach(log::foundEmpty);
      pending.clear();
    } else {
      recover();
    }
    if (stopped.getAsBoolean()) {
      pending.clear();
      unread.clear();
      found.clear();
      remainder = null;
    }
    whenRun.accept(!isDue() && unread.isEmpty());
  }

  private void recover() {
    long start = nanoTime.getAsLong();
    int regions = pending.size();
    lookAtAll();
    loadAll();
    marks.end();
    LOG.info(
        "{}: looked at {} regions, blocks recovered so far: {}, within {} ms; regions damaged: {},"
            + " not read: {}",
        io.device().path(),
        regions,
        blocks,
        (nanoTime.getAsLong() - start) / 1_000_000,
        damaged,
        unread.size());
    if (!unread.isEmpty()) {
      tryAgain();
    }
  }

  private void lookAtAll() {
    while (!pending.isEmpty() && !stopped.getAsBoolean()) {
      Region region = pending.peek();
      atItsOwnRisk(region, () -> look(region).ifPresent(found::add));
      pending.remove();
    }
    // Taken from the end: the newest first.
    found.sort(Comparator.comparingLong(Found::lastSequence));
  }

  private void loadAll() {
    Remainder rest = remainder;
    remainder = null;
    if (rest != null) {
      atItsOwnRisk(rest.region, () -> insert(rest));
    }
    while (!found.isEmpty() && remainder == null && !stopped.getAsBoolean()) {
      Found next = found.remove(found.size() - 1);
      atItsOwnRisk(next.region, () -> load(next));
    }
  }

  /**
   * Does something with one region, so that whatever fails costs that region alone: an exception,
   * which what lies there has caused, makes it damaged; after an error of the JVM it is tried
   * again.
   */
  private void atItsOwnRisk(Region region, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      giveUp(region, e);
    } catch (Error e) {
      if (region.state() == Region.State.UNREAD) {
        unread(region, e);
      } else {
        giveUp(region, e);
      }
    }
  }

  /** What of it is in the index already stays: each block is checked when it is read first. */
  private void giveUp(Region region, Throwable cause) {
    damaged(region, "recovering it failed", cause);
    if (region.state() == Region.State.UNREAD) {
      log.foundEmpty(region);
    } else {
      region.loaded();
    }
  }

  /** Regions that cannot be read wait; if the device answers otherwise, not for ever. */
  private void tryAgain() {
    if (attempts == 0 || io.health().isUsable()) {
      attempts++;
    }
    retryAtNanos = nanoTime.getAsLong() + retryNanos;
    if (attempts < ATTEMPTS) {
      return;
    }
    for (Region region : unread) {
      damaged(region, "cannot be read, tried " + attempts + " times");
      log.foundEmpty(region);
    }
    unread.clear();
  }

  /** What a region holds, if anything is found; a region that cannot be read is left unread. */
  private Optional<Found> look(Region region) {
    if (marks.begin(region.slot)) {
      damaged(region, "the process died twice while it was read");
      log.foundEmpty(region);
      return Optional.empty();
    }
    if (!io.health().isUsable()) {
      unread.add(region);
      return Optional.empty();
    }
    try {
      Optional<Found> contents = lookInto(region);
      if (contents.isEmpty()) {
        log.foundEmpty(region);
      }
      return contents;
    } catch (IOException e) {
      unread(region, e);
      return Optional.empty();
    }
  }

  private Optional<Found> lookInto(Region region) throws IOException {
    RegionLayout.Footer footer = io.footer(region.slot);
    RegionLayout.Header header = io.openHeader(region.slot);
    if (footer == null && !io.isBlank(region.slot, header)) {
      damaged(region, "neither empty nor what was written");
    }
    if (footer != null && (header == null || header.life().equals(footer.life()))) {
      return Optional.of(
          new Found(
              region,
              footer.life(),
              footer.firstSequence(),
              footer.lastSequence(),
              footer,
              List.of(),
              0));
    }
    return header == null ? Optional.empty() : scan(region, header.life(), header.firstSequence());
  }

  private void unread(Region region, Throwable cause) {
    unread.add(region);
    counters.trouble(Trouble.UNREAD_REGION);
    warnings.warn("Cannot be read now, and is left as it is until it can be: " + region, cause);
  }

  private void damaged(Region region, String what) {
    damaged(region, what, null);
  }

  private void damaged(Region region, String what, Throwable cause) {
    damaged++;
    counters.trouble(Trouble.DAMAGED_REGION);
    LOG.warn("{}: damaged, what cannot be read of it is dropped: {}", region, what, cause);
  }

  /**
   * Reads the records of a region without its table, up to the first byte that is not of this life.
   */
  private Optional<Found> scan(Region region, RegionLife life, long firstSequence)
      throws IOException {
    ByteBuffer records = io.records(region.slot);
    if (records == null) {
      return Optional.empty();
    }
    RecordWalk walk = RecordWalk.of(records, life, firstSequence, io.device().regionBytes());
    for (int position : walk.damaged()) {
      counters.trouble(Trouble.DAMAGED_BLOCK);
      warnings.warn(
          "A record is damaged and dropped, position=" + position + " of " + region, null);
    }
    return walk.records().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Found(
                region,
                life,
                firstSequence,
                walk.lastSequence(),
                null,
                walk.records(),
                walk.end()));
  }

  private void load(Found found) {
    Region region = found.region;
    marks.begin(region.slot);
    RegionTable table;
    try {
      table = found.footer == null ? sealed(found) : table(found);
    } catch (DamagedRegionException e) {
      damaged(region, e.getMessage());
      loadRecords(found);
      return;
    } catch (IOException e) {
      unread(region, e);
      return;
    }
    long ageMillis =
        found.footer == null ? 0 : System.currentTimeMillis() - found.footer.sealedMillis();
    region.foundSealed(
        found.life,
        found.firstSequence,
        found.lastSequence,
        nanoTime.getAsLong() - Math.max(0, ageMillis) * 1_000_000);
    insert(new Remainder(region, table.entries(), table.origins()));
  }

  /** Loads what can be found of a region without its table. */
  private void loadRecords(Found found) {
    try {
      Optional<Found> scanned =
          found.footer != null
              ? scan(found.region, found.life, found.firstSequence)
              : Optional.empty();
      scanned.ifPresentOrElse(this::load, () -> log.foundEmpty(found.region));
    } catch (IOException e) {
      unread(found.region, e);
    }
  }

  /** Takes blocks into the index, the last one first. What there is no memory for waits. */
  private void insert(Remainder rest) {
    List<RegionTable.Entry> entries = rest.entries;
    for (int i = entries.size() - 1; i >= 0; i--) {
      try {
        recover(rest.region, entries.get(i));
      } catch (DirectMemory.Exhausted e) {
        remainder = new Remainder(rest.region, entries.subList(0, i + 1), rest.origins);
        counters.trouble(Trouble.NO_MEMORY);
        warnings.warn("Recovery waits for memory: " + rest.region, e);
        return;
      }
    }
    rest.origins.forEach(this::recoveredFile);
    rest.region.loaded();
  }

  private void recoveredFile(String file, String origin) {
    if (residents.index().usage(file).blocks() > 0) {
      log.origins().recovered(file, origin);
    }
  }

  private RegionTable table(Found found) throws IOException {
    Region region = found.region;
    RegionLayout.Header header = io.header(region.slot);
    if (header == null || !header.life().equals(found.life)) {
      throw new DamagedRegionException("header and footer are not of the same life");
    }
    return io.table(region.slot, found.footer);
  }

  /** Seals a region that a crash left open, so that it is like all others. */
  private RegionTable sealed(Found found) throws IOException {
    Region region = found.region;
    region.found(found.life, found.firstSequence, found.lastSequence);
    WriteBuffer memory = new WriteBuffer(io.memory(region.slot), bytes -> {});
    OpenRegion open =
        OpenRegion.recovered(region, memory, io.device().regionBytes(), found.records, found.end);
    long millis = System.currentTimeMillis();
    io.seal(
        region.slot, region.header(millis), open.writeTable(millis, log.origins()), memory.bytes());
    return new RegionTable(found.records, Map.of());
  }

  private void recover(Region region, RegionTable.Entry entry) {
    if (!entry.isDurable() || fence.keepsOut(entry.file(), entry.offset())) {
      return;
    }
    long address = BlockAddress.of(region.number, entry.position(), entry.payloadBytes());
    int recordBytes =
        RecordLayout.recordBytes(RecordLayout.utf8Bytes(entry.file()), entry.payloadBytes());
    if (!residents.recover(entry.file(), recordBytes, entry.offset(), address, entry.traits())) {
      return;
    }
    blocks++;
    if (fence.keepsOut(entry.file(), entry.offset())) {
      residents.drop(entry.file(), entry.offset(), address, EvictionCause.FILE);
    }
  }
}
