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
import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
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
 */
final class Recovery {

  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final DeviceLog log;
  private final RegionDevice io;
  private final Residents residents;
  private final RecoveryFence fence;
  private final TierCounters counters;
  private final LongSupplier nanoTime;
  private final BooleanSupplier stopped;
  private int blocks;
  private int damaged;

  /** A region that holds something: sealed with a footer, or open with records. */
  private record Found(
      Region region,
      long firstSequence,
      long lastSequence,
      RegionLayout.Footer footer,
      List<RegionTable.Entry> records,
      int end) {}

  Recovery(
      DeviceLog log,
      Residents residents,
      RecoveryFence fence,
      TierCounters counters,
      LongSupplier nanoTime,
      BooleanSupplier stopped) {
    this.log = log;
    this.io = log.io();
    this.residents = residents;
    this.fence = fence;
    this.counters = counters;
    this.nanoTime = nanoTime;
    this.stopped = stopped;
  }

  /** Recovers the device. */
  void run() {
    if (log.device().generation() == 1) {
      for (Region region : log.regions()) {
        log.foundEmpty(region);
      }
      return;
    }
    long start = nanoTime.getAsLong();
    List<Found> found = new ArrayList<>();
    for (Region region : log.regions()) {
      Found in = look(region);
      if (in == null) {
        log.foundEmpty(region);
      } else {
        found.add(in);
      }
    }
    found.sort(Comparator.comparingLong(Found::lastSequence).reversed());
    for (Found each : found) {
      if (!stopped.getAsBoolean()) {
        load(each);
      }
    }
    LOG.info(
        "{}: recovered {} blocks in {} of {} regions within {} ms; regions damaged: {}",
        log.device().path(),
        blocks,
        found.size(),
        log.regions().length,
        (nanoTime.getAsLong() - start) / 1_000_000,
        damaged);
  }

  private Found look(Region region) {
    if (stopped.getAsBoolean()) {
      return null;
    }
    try {
      RegionLayout.Footer footer = io.footer(region.slot);
      RegionLayout.Header header = footer == null || io.device().isMapped() ? header(region) : null;
      if (footer == null && isDamaged(region, header)) {
        damaged(region, new IOException("neither empty nor what was written"));
      }
      if (footer != null && (header == null || header.firstSequence() == footer.firstSequence())) {
        return new Found(
            region, footer.firstSequence(), footer.lastSequence(), footer, List.of(), 0);
      }
      return header == null ? null : scan(region, header.firstSequence());
    } catch (IOException e) {
      damaged(region, e);
      return null;
    }
  }

  /** Whether something lies where a region without a footer, and maybe a header, has zeros. */
  private boolean isDamaged(Region region, RegionLayout.Header header) throws IOException {
    int footer = RegionLayout.footerPosition(io.device().regionBytes());
    return !io.isZero(region.slot, footer, RegionLayout.FOOTER_BYTES)
        || (io.device().isMapped()
            && header == null
            && !io.isZero(region.slot, 0, RegionLayout.HEADER_BYTES));
  }

  private RegionLayout.Header header(Region region) throws IOException {
    return io.device().isMapped() ? io.header(region.slot) : null;
  }

  private void damaged(Region region, IOException cause) {
    damaged++;
    counters.trouble(Trouble.DAMAGED_REGION);
    LOG.warn("{}: damaged, what cannot be read of it is dropped: {}", region, cause.toString());
  }

  /** Reads the records of a region on memory, up to the first that is none. */
  private Found scan(Region region, long firstSequence) {
    RecordWalk walk =
        RecordWalk.of(io.records(region.slot), firstSequence, io.device().regionBytes());
    return walk.records().isEmpty()
        ? null
        : new Found(region, firstSequence, walk.lastSequence(), null, walk.records(), walk.end());
  }

  private void load(Found found) {
    Region region = found.region;
    List<RegionTable.Entry> entries;
    try {
      entries = found.footer == null ? sealed(found) : table(found);
    } catch (IOException e) {
      damaged(region, e);
      Found scanned = io.device().isMapped() ? scan(region, found.firstSequence) : null;
      if (scanned == null || found.footer == null) {
        log.foundEmpty(region);
      } else {
        load(scanned);
      }
      return;
    }
    long ageMillis =
        found.footer == null ? 0 : System.currentTimeMillis() - found.footer.sealedMillis();
    log.foundSealed(
        region,
        found.firstSequence,
        found.lastSequence,
        nanoTime.getAsLong() - Math.max(0, ageMillis) * 1_000_000);
    for (int i = entries.size() - 1; i >= 0; i--) {
      recover(region, entries.get(i));
    }
  }

  private List<RegionTable.Entry> table(Found found) throws IOException {
    Region region = found.region;
    RegionLayout.Header header = io.header(region.slot);
    if (header == null || header.firstSequence() != found.firstSequence) {
      throw new IOException("header and footer are not of the same life");
    }
    return io.table(region.slot, found.footer).entries();
  }

  /** Seals a region that a crash left open, so that it is like all others. */
  private List<RegionTable.Entry> sealed(Found found) throws IOException {
    Region region = found.region;
    region.sequences(found.firstSequence, found.lastSequence);
    WriteBuffer memory = new WriteBuffer(io.memory(region.slot), bytes -> {});
    OpenRegion open =
        OpenRegion.recovered(region, memory, io.device().regionBytes(), found.records, found.end);
    RegionLayout.Header header =
        new RegionLayout.Header(
            region.slot, io.device().id(), found.firstSequence, System.currentTimeMillis());
    io.seal(region.slot, header, open.writeTable(System.currentTimeMillis()), memory.bytes());
    return found.records;
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
