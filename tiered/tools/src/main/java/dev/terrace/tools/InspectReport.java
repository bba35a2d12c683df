// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.api.FileUsage;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.TextTable;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.RegionState;
import dev.terrace.region.inspect.CacheInspection.Stored;
import dev.terrace.region.inspect.CacheInspection.Tally;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Prints the contents of a cache.
 *
 * @param fileLimit how many files it lists, the largest first
 */
record InspectReport(PrintWriter out, ReadOnlyDevice cache, CacheInspection found, int fileLimit) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss z", Locale.ROOT);

  void print() {
    folder();
    blocks();
    if (found.live().blocks() > 0) {
      out.print('\n' + files());
    }
    if (!found.damages().isEmpty()) {
      line(
          "\nDamaged places: %d, the first one: %s",
          found.damages().size(), found.damages().get(0));
      line("To list all of them and check every block: terrace inspect --verify %s", cache.path());
    }
    out.flush();
  }

  private void folder() {
    field(
        "cache",
        "%s, %s, format version %d",
        cache.path(),
        cache.superblock().kind(),
        Superblock.FORMAT_VERSION);
    field("id", "%s, opened %s", cache.superblock().id(), times(cache.generation()));
    field("created", "%s", time(cache.superblock().createdMillis()));
    field("last opened", "%s", time(cache.superblock().openedMillis()));
    long sizeBytes = (long) cache.regions() * cache.regionBytes();
    field(
        "size",
        "%s: %,d regions of %s",
        ByteSize.readable(sizeBytes),
        cache.regions(),
        ByteSize.readable(cache.regionBytes()));
    if (cache.regionsFileBytes() != sizeBytes) {
      field(
          "",
          "but the regions file has %,d bytes instead of %,d",
          cache.regionsFileBytes(),
          sizeBytes);
    }
    field(
        "regions",
        "%s",
        Arrays.stream(RegionState.values())
            .map(state -> String.format(Locale.ROOT, "%,d %s", found.regions(state), state))
            .collect(Collectors.joining(", ")));
  }

  private static String times(long generation) {
    return generation == 1 ? "once" : String.format(Locale.ROOT, "%,d times", generation);
  }

  private void blocks() {
    Tally live = found.live();
    if (live.blocks() == 0) {
      field("blocks", "none, the cache is empty");
    } else {
      field("blocks", "%s in %,d files", inWords(live), found.files().size());
    }
    if (found.dead().blocks() > 0) {
      field("", "and %s that a restart does not recover", inWords(found.dead()));
    }
    age("oldest", found.oldest());
    age("newest", found.newest());
  }

  private void age(String name, Optional<Stored> block) {
    block.ifPresent(
        stored ->
            field(
                name,
                "%s @ %d, in region %d of %s",
                stored.key().file(),
                stored.key().offset(),
                stored.region(),
                time(stored.regionMillis())));
  }

  private static String inWords(Tally tally) {
    return String.format(
        Locale.ROOT, "%,d (%s)", tally.blocks(), ByteSize.readable(tally.payloadBytes()));
  }

  private String files() {
    List<FileUsage> files = found.files();
    TextTable table = new TextTable(1, "file", "blocks", "payload");
    files.stream()
        .limit(fileLimit)
        .forEach(
            file ->
                table.add(
                    file.file().name(),
                    TextTable.count(file.blocks()),
                    ByteSize.readable(file.payloadBytes())));
    int left = files.size() - Math.min(files.size(), fileLimit);
    return left == 0
        ? table.toString()
        : table + String.format(Locale.ROOT, "and %,d more (--files all)%n", left);
  }

  private String time(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
  }

  private void field(String name, String format, Object... values) {
    line("%-13s%s", name, String.format(Locale.ROOT, format, values));
  }

  private void line(String format, Object... values) {
    out.print(String.format(Locale.ROOT, format, values) + '\n');
  }
}
