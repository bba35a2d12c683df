// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.diagnosis;

import static dev.terrace.hbase.diagnosis.Reason.TEXTS;

import dev.terrace.api.Amount;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.diagnosis.FileEvents.Event;
import dev.terrace.hbase.diagnosis.FileEvents.Event.Request;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.Owner;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.NestedShares;
import dev.terrace.hbase.settings.TextTable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Explains how much of a subject is cached, and why not more: the likeliest reason first.
 *
 * @param tiers the blocks of it in each tier, the highest first; a block may be in several
 * @param inUse the same without leftovers, each block counted once
 * @param leftover the cached blocks of its files that are no longer open
 * @param hasMob whether it has files of unknown size, because no store lists them
 * @param open its files that the region server has open
 * @param events the events of its blocks
 */
record Diagnosis(
    Subject subject,
    Map<String, Amount> tiers,
    Amount inUse,
    Amount leftover,
    boolean hasMob,
    Collection<OpenStoreFile> open,
    FileEvents.Counts events) {

  /**
   * The files in question: one file, or those of a table or a column family.
   *
   * @param file the name of the file; null if it is a table or a family
   * @param table the table with its namespace; null if it is a file
   * @param family the name of the family; null for all of a table
   */
  record Subject(String file, String table, String family) {

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /** A file, given its name or path. A reference to a part of a file counts as that file. */
    static Subject ofFile(String name) {
      String plain = name.strip();
      return new Subject(
          StoreFileNames.physical(plain.substring(plain.lastIndexOf('/') + 1)), null, null);
    }

    /**
     * A table, such as {@code users} or {@code ns:users}, or a family, such as {@code users info}.
     */
    static Subject ofTable(String name) {
      String[] words = BLANKS.split(name.strip(), 2);
      String family = words.length == 1 ? null : words[1];
      return new Subject(null, NestedShares.withNamespace(words[0]), family);
    }

    /** Whether a file belongs to this subject, given its known tables and families. */
    boolean has(String name, Set<Owner.Place> places) {
      return file == null ? places.stream().anyMatch(this::isAt) : file.equals(name);
    }

    private boolean isAt(Owner.Place place) {
      return table.equals(place.table()) && (family == null || family.equals(place.family()));
    }

    @Override
    public String toString() {
      if (file != null) {
        return "file " + file;
      }
      return family == null ? "table " + table : "family " + family + " of table " + table;
    }
  }

  /** The share that counts as all: files have parts that are never cached, such as trailers. */
  private static final double WHOLE = 0.97;

  private static final int MAX_REASONS = 3;

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter DATE_AND_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

  /** The uncompressed bytes of its open files. */
  private long wholeBytes() {
    return open.stream().mapToLong(file -> file.traits().uncompressedBytes()).sum();
  }

  private List<Reason> reasons(Map<Event, Long> counts) {
    return Reason.of(counts, List.copyOf(tiers.keySet()));
  }

  /** Whether blocks were lost recently. If not, older reasons are the answer. */
  private boolean isRecent() {
    return !reasons(events.recent()).isEmpty();
  }

  private Map<Event, Long> counts() {
    return isRecent() ? events.recent() : events.all();
  }

  private List<Reason> reasons() {
    return reasons(counts());
  }

  private String since() {
    return isRecent() ? sinceRecently() : sinceStart();
  }

  String sinceStart() {
    return since(events.sinceMillis());
  }

  String sinceRecently() {
    return since(Math.max(FileEvents.Count.recentSince(events.nowMillis()), events.sinceMillis()));
  }

  private String since(long millis) {
    ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault());
    LocalDate today = Instant.ofEpochMilli(events.nowMillis()).atZone(time.getZone()).toLocalDate();
    return "since " + (time.toLocalDate().equals(today) ? TIME : DATE_AND_TIME).format(time);
  }

  boolean isUnknown() {
    return open.isEmpty()
        && inUse.blocks() == 0
        && leftover.blocks() == 0
        && events.all().isEmpty();
  }

  /**
   * The sentences, one a line.
   *
   * @param sickPaths those on paths out of order that may have blocks of it
   */
  List<String> lines(List<String> sickPaths) {
    if (isUnknown()) {
      return List.of(TEXTS.get("unknown", subject, since()));
    }
    List<String> lines = new ArrayList<>();
    lines.add(state());
    lines.addAll(sickPaths);
    if (leftover.blocks() > 0) {
      lines.add(
          TEXTS.get("leftover", blocks(leftover.blocks()), ByteSize.readable(leftover.bytes())));
    }
    if (hasMob) {
      lines.add(TEXTS.get("mob-family"));
    }
    if (isWhole()) {
      lines.add(TEXTS.get(sickPaths.isEmpty() ? "whole" : "whole-beside-sick-path"));
      return lines;
    }
    List<String> causes = fromItsFamily();
    if (causes.isEmpty() && isMostlyUnread()) {
      causes.add(unread());
    }
    reasons().stream().limit(MAX_REASONS).map(this::explained).forEach(causes::add);
    if (causes.isEmpty()) {
      causes.add(TEXTS.get("nothing-lost", since()));
    }
    lines.addAll(causes);
    return lines;
  }

  private String state() {
    String bytes = ByteSize.readable(inUse.bytes());
    if (!hasMob && wholeBytes() > 0) {
      bytes += " of about " + ByteSize.readable(wholeBytes());
    }
    String where =
        tiers.entrySet().stream()
            .map(tier -> TextTable.count(tier.getValue().blocks()) + " in " + tier.getKey())
            .collect(Collectors.joining(", "));
    return "%s of %s %s cached (%s): %s."
        .formatted(
            blocks(inUse.blocks()), subject, inUse.blocks() == 1 ? "is" : "are", bytes, where);
  }

  private boolean isWhole() {
    return !hasMob
        && !open.isEmpty()
        && inUse.blocks() > 0
        && inUse.bytes() >= WHOLE * wholeBytes();
  }

  /** Reasons in the family's descriptor, and in HBase's own requests. */
  private List<String> fromItsFamily() {
    List<String> lines = new ArrayList<>();
    String uncached = families(file -> !file.traits().isBlockCacheEnabled());
    if (!uncached.isEmpty()) {
      lines.add(TEXTS.get("no-block-cache", uncached));
    }
    if (sum(Request.COLD) > 0) {
      lines.add(TEXTS.get("cold", times(sum(Request.COLD)), since()));
    }
    if (open.isEmpty()) {
      lines.add(notOpen());
    }
    String inMemory = families(file -> file.traits().isInMemory());
    Set<Enum<?>> lackOfRoom = Set.of(PutOutcome.NOT_ADMITTED, EvictionCause.SIZE);
    if (!inMemory.isEmpty()
        && reasons().stream().map(Reason::what).anyMatch(lackOfRoom::contains)) {
      lines.add(TEXTS.get("in-memory", inMemory));
    }
    return lines;
  }

  private String notOpen() {
    if (sum(Request.FILE_EVICTED) > 0) {
      return TEXTS.get("evicted", since());
    }
    String file = subject.file();
    return TEXTS.get(file != null && StoreFileNames.isMob(file) ? "mob-file" : "not-open");
  }

  private String families(Predicate<OpenStoreFile> which) {
    return open.stream()
        .filter(which)
        .map(file -> file.place().table() + " " + file.place().family())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private long sum(Request request) {
    return counts().getOrDefault(Event.of(request), 0L);
  }

  /** Whether the known reasons explain less than half of the blocks that are not cached. */
  private boolean isMostlyUnread() {
    if (open.isEmpty()) {
      return false;
    }
    long blockBytes = inUse.blocks() == 0 ? BlockInfo.USUAL_BYTES : inUse.bytes() / inUse.blocks();
    long lostBlocks = reasons().stream().mapToLong(Reason::maxBlocks).sum();
    return 2 * lostBlocks * blockBytes < wholeBytes() - inUse.bytes();
  }

  private String unread() {
    long unwanted = sum(Request.MISS_NOT_TO_CACHE);
    long puts =
        Event.sum(counts(), event -> event.isFromHBase() && event.what() instanceof PutOutcome);
    return unwanted > puts
        ? TEXTS.get("not-to-cache", blocks(unwanted), since())
        : TEXTS.get("unread", since());
  }

  private String explained(Reason reason) {
    boolean isEviction = reason.what() instanceof EvictionCause;
    String what =
        reason.blocks().entrySet().stream()
            .map(
                tier ->
                    isEviction
                        ? tier.getKey() + " evicted " + blocks(tier.getValue())
                        : tier.getKey() + " refused blocks " + times(tier.getValue()))
            .collect(Collectors.joining(", "));
    return "S%s %s: %s. %s"
        .formatted(since().substring(1), what, reason.what(), Reason.meaning(reason.what()));
  }

  private static String blocks(long number) {
    return (number == 0 ? "No" : TextTable.count(number)) + (number == 1 ? " block" : " blocks");
  }

  private static String times(long number) {
    return number == 1 ? "once" : TextTable.count(number) + " times";
  }
}
