// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.diagnosis;

import static java.util.stream.Collectors.toMap;

import dev.terrace.api.Amount;
import dev.terrace.api.CacheFile;
import dev.terrace.api.FileUsage;
import dev.terrace.api.PathStats;
import dev.terrace.hbase.blocks.HeapCopies;
import dev.terrace.hbase.diagnosis.Diagnosis.Subject;
import dev.terrace.hbase.diagnosis.FileEvents.Event;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.Owner;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.NestedShares;
import dev.terrace.hbase.settings.TextTable;
import dev.terrace.tiered.TieredCache;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Answers why a file, a table or a column family is not, or not fully, cached. An answer reads the
 * lists of files, and lists of blocks only for files in several tiers. Thread-safe.
 */
public record WhyNotCached(
    TieredCache<?> tiers,
    FileCatalog known,
    FileEvents events,
    HeapCopies copies,
    Supplier<Map<String, Map<String, Map<String, Long>>>> shares) {

  private static final String OBSERVED =
      "%s hits on this server were copied to the heap: the %s may keep cells.";

  /**
   * The answer as text: sentences, one per line, then the blocks by tier, then the events.
   *
   * @param name a store file's name or path, a table such as {@code ns:users}, or a table and a
   *     family such as {@code ns:users info}; without a namespace it is the default one
   * @throws IllegalArgumentException if the name is blank
   */
  public String answer(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "empty name: give a store file, a table, or a table and a family");
    }
    List<OpenStoreFile> open = known.described().toList();
    Diagnosis diagnosis = diagnosis(subject(name), open);
    List<String> lines = new ArrayList<>(diagnosis.lines(sickPaths(diagnosis)));
    lines.addAll(observers());
    String inTiers = diagnosis.isUnknown() ? "" : byTier(diagnosis);
    return Stream.of(
            String.join("\n", lines) + "\n",
            inTiers,
            shares(diagnosis.subject()),
            counts(diagnosis))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  private Subject subject(String name) {
    Subject file = Subject.ofFile(name);
    boolean isKnown =
        known.owner(known.find(file.file())).region() != null
            || events.has(file.file())
            || tiers.residentBytes(known.find(file.file())) > 0;
    return isKnown ? file : Subject.ofTable(name);
  }

  private Diagnosis diagnosis(Subject subject, List<OpenStoreFile> allOpen) {
    // The two halves of a split file are the same file.
    Map<String, OpenStoreFile> open =
        allOpen.stream()
            .filter(file -> subject.has(file.name(), Set.of(file.place())))
            .collect(toMap(OpenStoreFile::name, file -> file, (first, second) -> first));
    // HBase opens MOB files only to read them, and lists none. If no file is open, the leftovers
    // are the answer.
    Predicate<CacheFile> isInUse =
        file ->
            open.isEmpty() || open.containsKey(file.name()) || StoreFileNames.isMob(file.name());
    List<CacheFile> cached =
        tiers.files().all().stream()
            .filter(file -> tiers.residentBytes(file) > 0)
            .filter(file -> subject.has(file.name(), known.places(file)))
            .toList();
    boolean hasMob =
        subject.file() == null
            && !open.isEmpty()
            && (cached.stream().anyMatch(file -> StoreFileNames.isMob(file.name()))
                || open.values().stream().anyMatch(file -> file.traits().hasMob()));
    return new Diagnosis(
        subject,
        tiers.byTier(tier -> amount(cached, isInUse, tier::usage)),
        amount(cached, isInUse, tiers::usage),
        amount(cached, isInUse.negate(), tiers::usage),
        hasMob,
        open.values(),
        events.counts(
            (file, places) ->
                subject.has(file, places) || subject.has(file, known.places(known.find(file)))));
  }

  private static Amount amount(
      List<CacheFile> files, Predicate<CacheFile> which, Function<CacheFile, FileUsage> usage) {
    return Amount.of(files.stream().filter(which).map(usage).toList());
  }

  /** Sentences on paths with a fault, for the tiers that hold blocks of the subject. */
  private List<String> sickPaths(Diagnosis diagnosis) {
    List<String> lines = new ArrayList<>();
    tiers
        .stats()
        .forEach(
            (tier, stats) -> {
              if (diagnosis.tiers().get(tier).blocks() > 0) {
                stats.paths().stream()
                    .filter(path -> !path.now().why().isEmpty())
                    .forEach(path -> lines.add(sentence(tier, path)));
              }
            });
    return lines;
  }

  /** Sentences on the observers for which hits are copied, in whichever table. */
  private List<String> observers() {
    return copies.hits().entrySet().stream()
        .filter(each -> each.getKey().startsWith(HeapCopies.OBSERVER) && each.getValue() > 0)
        .map(each -> OBSERVED.formatted(TextTable.count(each.getValue()), each.getKey()))
        .toList();
  }

  private static String sentence(String tier, PathStats path) {
    PathStats.Condition now = path.now();
    return "The path %s of %s has been %s since %s: %s. Cause: %s."
        .formatted(
            path.path(),
            tier,
            now.state().words(),
            now.since().truncatedTo(ChronoUnit.SECONDS),
            now.state().effect(),
            now.why());
  }

  /** The shares that count for the subject; empty if there are none. */
  private String shares(Subject subject) {
    Owner.Place place =
        subject.file() == null
            ? new Owner.Place(subject.table(), subject.family())
            : known.owner(known.find(subject.file())).place();
    if (place == null) {
      return "";
    }
    String name = place.family() == null ? place.table() : place.table() + "/" + place.family();
    TextTable table = new TextTable(2, "share", "tier", "min", "max", "used", "hits", "refused");
    shares
        .get()
        .forEach(
            (tier, named) ->
                named.forEach(
                    (share, of) -> {
                      if (NestedShares.covering(name).contains(share)
                          || share.startsWith(name + "/")) {
                        table.add(
                            share,
                            tier,
                            ByteSize.readable(of.get("min")),
                            ByteSize.readable(of.get("max")),
                            ByteSize.readable(of.get("bytes")),
                            TextTable.count(of.get("hits")),
                            TextTable.count(of.get("refused")));
                      }
                    }));
    return table.toString();
  }

  private static String byTier(Diagnosis diagnosis) {
    TextTable table = new TextTable(1, "tier", "blocks", "bytes");
    diagnosis
        .tiers()
        .forEach(
            (tier, amount) ->
                table.add(
                    tier, TextTable.count(amount.blocks()), ByteSize.readable(amount.bytes())));
    return table.toString();
  }

  private static String counts(Diagnosis diagnosis) {
    FileEvents.Counts counts = diagnosis.events();
    TextTable table =
        new TextTable(2, "where", "what", diagnosis.sinceRecently(), diagnosis.sinceStart());
    counts.all().keySet().stream()
        .sorted(Event.ORDER)
        .forEach(
            event ->
                table.add(
                    event.place(),
                    event.name(),
                    TextTable.count(counts.recent().getOrDefault(event, 0L)),
                    TextTable.count(counts.all().get(event))));
    return table.toString();
  }
}
