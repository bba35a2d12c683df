// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.diagnosis;

import static java.util.stream.Collectors.toSet;

import dev.terrace.api.FileUsage;
import dev.terrace.api.PathStats;
import dev.terrace.hbase.diagnosis.Diagnosis.Findings;
import dev.terrace.hbase.diagnosis.Diagnosis.Findings.Amount;
import dev.terrace.hbase.diagnosis.Diagnosis.Subject;
import dev.terrace.hbase.diagnosis.FileEvents.Event;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.Owner;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.TextTable;
import dev.terrace.tiered.TieredCache;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Answers why a file, a table or a column family is not, or not fully, cached. An answer reads the
 * lists of files, and lists of blocks only for files in several tiers. Thread-safe.
 */
public record WhyNotCached(TieredCache<?> tiers, FileCatalog known, FileEvents events) {

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
          "no name: use that of a store file, of a table, or of a table and a family");
    }
    List<OpenStoreFile> open = known.described().toList();
    Findings findings = findings(subject(name, open), open);
    List<String> lines = new ArrayList<>(new Diagnosis(findings).lines());
    lines.addAll(1, sickPaths(findings));
    return String.join("\n", lines)
        + "\n"
        + (findings.isUnknown() ? "" : "\n" + byTier(findings))
        + (findings.counts().all().isEmpty() ? "" : "\n" + counts(findings));
  }

  private Subject subject(String name, List<OpenStoreFile> open) {
    Subject file = Subject.ofFile(name);
    boolean isKnown =
        open.stream().anyMatch(each -> each.name().equals(file.file()))
            || known.region(file.file()) != null
            || events.has(file.file())
            || tiers.isResident(file.file());
    return isKnown ? file : Subject.ofTable(name);
  }

  private Findings findings(Subject subject, List<OpenStoreFile> allOpen) {
    List<OpenStoreFile> open =
        distinct(allOpen.stream().filter(file -> subject.has(file.name(), file.place())));
    Map<String, List<FileUsage>> usages = new LinkedHashMap<>();
    tiers.filesByTier().forEach((tier, files) -> usages.put(tier, usages(subject, files)));
    Set<String> cachedFiles =
        usages.values().stream().flatMap(List::stream).map(FileUsage::file).collect(toSet());
    Set<String> openNames = open.stream().map(OpenStoreFile::name).collect(toSet());
    // HBase opens MOB files only when it reads them, and lists none.
    boolean hasMob =
        subject.file() == null
            && !open.isEmpty()
            && (cachedFiles.stream().anyMatch(StoreFileNames::isMob)
                || open.stream().anyMatch(file -> file.traits().hasMob()));
    // If no file is open, the leftovers are the answer.
    Predicate<String> isInUse =
        file -> open.isEmpty() || openNames.contains(file) || StoreFileNames.isMob(file);
    Map<String, Amount> byTier = new LinkedHashMap<>();
    usages.forEach(
        (tier, of) ->
            byTier.put(tier, sum(of.stream().filter(usage -> isInUse.test(usage.file())))));
    List<FileEvents.History> histories =
        events.all().stream()
            .filter(
                history -> subject.has(history.file, history.place) || has(subject, history.file))
            .toList();
    long now = events.nowMillis();
    return new Findings(
        subject,
        byTier,
        sum(cachedFiles.stream().filter(isInUse).map(tiers::usage)),
        sum(cachedFiles.stream().filter(isInUse.negate()).map(tiers::usage)),
        hasMob,
        open,
        FileEvents.Counts.of(histories, now),
        since(histories),
        now);
  }

  /** Sentences on paths out of order, for the tiers that hold blocks of the subject. */
  private List<String> sickPaths(Findings findings) {
    List<String> lines = new ArrayList<>();
    tiers
        .stats()
        .forEach(
            (tier, stats) -> {
              if (findings.tiers().get(tier).blocks() > 0) {
                stats.paths().stream()
                    .filter(path -> path.now().state() != PathStats.State.IN_SERVICE)
                    .forEach(path -> lines.add(sentence(tier, path)));
              }
            });
    return lines;
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

  private List<FileUsage> usages(Subject subject, Iterator<FileUsage> files) {
    List<FileUsage> usages = new ArrayList<>();
    files.forEachRemaining(
        usage -> {
          if (has(subject, usage.file())) {
            usages.add(usage);
          }
        });
    return usages;
  }

  private static Amount sum(Stream<FileUsage> usages) {
    return usages
        .map(usage -> new Amount(usage.blocks(), usage.payloadBytes()))
        .reduce(Amount.NONE, Amount::plus);
  }

  /** Merges the two halves of a split file, which are the same file. */
  private static List<OpenStoreFile> distinct(Stream<OpenStoreFile> files) {
    Map<String, OpenStoreFile> byName = new LinkedHashMap<>();
    files.forEach(file -> byName.putIfAbsent(file.name(), file));
    return List.copyOf(byName.values());
  }

  private boolean has(Subject subject, String file) {
    Set<Owner.Place> places = known.places(file);
    return places.isEmpty()
        ? subject.has(file, null)
        : places.stream().anyMatch(place -> subject.has(file, place));
  }

  private long since(List<FileEvents.History> histories) {
    return events.isComplete()
        ? events.startMillis()
        : histories.stream()
            .mapToLong(history -> history.firstMillis)
            .min()
            .orElse(events.nowMillis());
  }

  private static TextTable byTier(Findings findings) {
    TextTable table = new TextTable(1, "tier", "blocks", "bytes");
    findings
        .tiers()
        .forEach(
            (tier, amount) ->
                table.add(
                    tier, TextTable.count(amount.blocks()), ByteSize.readable(amount.bytes())));
    return table;
  }

  private static TextTable counts(Findings findings) {
    String recentSince = "since " + findings.recentSince();
    String since = "since " + findings.since();
    FileEvents.Counts counts = findings.counts();
    TextTable table = new TextTable(2, "where", "what", recentSince, since);
    for (Event event : new TreeSet<>(counts.all().keySet())) {
      table.add(
          event.place(),
          event.name(),
          TextTable.count(counts.recent().getOrDefault(event, 0L)),
          TextTable.count(counts.all().get(event)));
    }
    return table;
  }
}
