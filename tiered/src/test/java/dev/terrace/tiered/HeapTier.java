// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.file;

import dev.terrace.api.Access;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.FileUsage;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import dev.terrace.api.Tier;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierStats;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A tier of strings in a map, for one thread, that refuses when it is told to. */
public class HeapTier implements Tier<String> {

  private record Entry(String block, BlockInfo info) {}

  private final String name;
  private final long evictionUnitBytes;
  private final Map<BlockKey, Entry> entries = new HashMap<>();
  private final TierCounters counters = new TierCounters();
  private final Set<BlockKey> touched = new HashSet<>();
  private PutOutcome refusal;
  private Consumer<CacheFile> sample = file -> {};
  private DemotionTarget<String> target;
  private final Map<CacheFile, Quota> quotas = new HashMap<>();
  private Runnable beforeOffer = () -> {};
  private Runnable beforePut = () -> {};
  private Runnable afterPut = () -> {};
  private Runnable afterGet = () -> {};
  private double shrunkTo = 1;
  private boolean isFull;
  private boolean damaged;
  private long capacityBytes;
  private int lookups;
  private int puts;
  private int listings;

  public HeapTier(String name) {
    this(name, 0);
  }

  /** A tier that blocks of so many bytes may leave at one go. */
  HeapTier(String name, long evictionUnitBytes) {
    this.name = name;
    this.evictionUnitBytes = evictionUnitBytes;
  }

  /** Has it say that blocks are stored in so much of their size. */
  void shrinkTo(double share) {
    shrunkTo = share;
  }

  @Override
  public long estimatedPlainBytes(long storedBytes) {
    return Math.round(storedBytes / shrunkTo);
  }

  void refuse(PutOutcome outcome) {
    refusal = outcome;
  }

  int lookups() {
    return lookups;
  }

  /** How often {@link #blocks} was asked for. */
  int listings() {
    return listings;
  }

  /** How many puts were tried. */
  int puts() {
    return puts;
  }

  /** Leaves no free room, but takes what comes. */
  public void full(boolean full) {
    isFull = full;
  }

  /** Says how large it is, which is not enforced. */
  public void capacityBytes(long bytes) {
    capacityBytes = bytes;
  }

  Set<BlockKey> touched() {
    return touched;
  }

  /** Lets something happen before the next block that leaves is offered. */
  void beforeOffer(Runnable happens) {
    beforeOffer = happens;
  }

  /** Lets something happen before the next put. */
  void beforePut(Runnable happens) {
    beforePut = happens;
  }

  /** Lets something happen between the next put and its return. */
  void afterPut(Runnable happens) {
    afterPut = happens;
  }

  /** Lets something happen between the next lookup and its return. */
  void afterGet(Runnable happens) {
    afterGet = happens;
  }

  /** Lets a block leave to make room. */
  void leave(String name, long offset, boolean wasHit) {
    CacheFile file = file(name);
    Entry entry = entries.get(new BlockKey(file, offset));
    if (target != null
        && target.above(file, offset) == DemotionTarget.Above.NO
        && target.wants(entry.info)) {
      Runnable before = beforeOffer;
      beforeOffer = () -> {};
      before.run();
      target.offer(entry.info, entry.block, wasHit);
    }
    entries.remove(entry.info.key());
    counters.evicted(file, EvictionCause.SIZE, 1);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long evictionUnitBytes() {
    return evictionUnitBytes;
  }

  @Override
  public boolean accepts(CacheFile file, long offset, int sizeBytes) {
    return refusal != PutOutcome.ABOVE_MAX;
  }

  /** Remembers them, and limits nothing. */
  @Override
  public void setQuota(CacheFile file, Quota quota) {
    quotas.put(file, quota);
  }

  /** The quota of a file. */
  public Quota quota(String file) {
    return quotas.getOrDefault(file(file), Quota.NONE);
  }

  @Override
  public boolean hasFreeRoom() {
    return refusal == null && !isFull;
  }

  @Override
  public long takenBytes() {
    return space().usedBytes();
  }

  @Override
  public void demoteTo(DemotionTarget<String> receiver) {
    target = receiver;
  }

  /** Each hit is in the sample. */
  @Override
  public void sampleHitsTo(Consumer<CacheFile> files) {
    sample = files;
  }

  @Override
  public TierCounters counters() {
    return counters;
  }

  @Override
  public String get(CacheFile file, long offset, Access access) {
    lookups++;
    Entry entry = entries.get(new BlockKey(file, offset));
    Runnable after = afterGet;
    afterGet = () -> {};
    after.run();
    if (entry == null) {
      return null;
    }
    sample.accept(file);
    return entry.block;
  }

  @Override
  public boolean contains(CacheFile file, long offset) {
    return entries.containsKey(new BlockKey(file, offset));
  }

  @Override
  public Optional<BlockInfo> info(CacheFile file, long offset) {
    return Optional.ofNullable(entries.get(new BlockKey(file, offset))).map(Entry::info);
  }

  @Override
  public boolean head(CacheFile file, long offset, ByteBuffer target) {
    Entry entry = entries.get(new BlockKey(file, offset));
    if (entry == null || entry.block.length() < target.remaining()) {
      return false;
    }
    target.put(
        target.position(), entry.block.getBytes(StandardCharsets.US_ASCII), 0, target.remaining());
    return true;
  }

  @Override
  public boolean verify(CacheFile file, long offset) {
    return !damaged;
  }

  /** Lets the bytes of all blocks be damaged at rest, as far as {@link #verify} can see. */
  void damage() {
    damaged = true;
  }

  @Override
  public PutOutcome put(
      CacheFile file, long offset, String block, BlockTraits traits, long maxWaitNanos) {
    puts++;
    Runnable before = beforePut;
    beforePut = () -> {};
    before.run();
    if (refusal != null) {
      return refusal;
    }
    BlockKey key = new BlockKey(file, offset);
    int storedBytes = (int) Math.ceil(block.length() * shrunkTo);
    Entry entry = new Entry(block, new BlockInfo(key, storedBytes, traits, 0));
    boolean isNew = entries.putIfAbsent(key, entry) == null;
    Runnable after = afterPut;
    afterPut = () -> {};
    after.run();
    PutOutcome outcome = isNew ? PutOutcome.STORED : PutOutcome.ALREADY_PRESENT;
    return counters.put(file, outcome, storedBytes);
  }

  @Override
  public int evict(CacheFile file, long fromOffset, long toOffset) {
    int before = entries.size();
    entries
        .keySet()
        .removeIf(
            key ->
                key.file().equals(file) && key.offset() >= fromOffset && key.offset() <= toOffset);
    counters.evicted(file, EvictionCause.FILE, before - entries.size());
    return before - entries.size();
  }

  @Override
  public void touch(CacheFile file, long offset) {
    touched.add(new BlockKey(file, offset));
  }

  @Override
  public void setEvictFirst(CacheFile file, boolean first) {}

  @Override
  public long blockCount() {
    return entries.size();
  }

  @Override
  public FileUsage usage(CacheFile file) {
    List<BlockInfo> blocks =
        infos().stream().filter(info -> info.key().file().equals(file)).toList();
    return new FileUsage(
        file, blocks.size(), blocks.stream().mapToLong(BlockInfo::sizeBytes).sum());
  }

  @Override
  public void forEachBlock(CacheFile file, BlockVisitor visitor) {
    infos().stream()
        .filter(info -> info.key().file().equals(file))
        .forEach(info -> visitor.block(info.key().offset(), info.sizeBytes(), info.traits(), 0));
  }

  @Override
  public Iterator<FileUsage> files() {
    return infos().stream().map(info -> info.key().file()).distinct().map(this::usage).iterator();
  }

  @Override
  public Iterator<BlockInfo> blocks() {
    listings++;
    return infos().iterator();
  }

  private List<BlockInfo> infos() {
    return entries.values().stream().map(Entry::info).toList();
  }

  @Override
  public TierStats.Space space() {
    return new TierStats.Space(capacityBytes, 0, 0, entries.size(), 0);
  }

  @Override
  public TierStats stats() {
    return new TierStats(
        space(),
        TierStats.Pins.NONE,
        counters.reads(new HitRecorder()),
        counters.writes(1),
        counters.events(),
        List.of());
  }

  @Override
  public void close() {
    entries.clear();
    refusal = PutOutcome.CLOSED;
  }
}
