// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.FileUsage;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.format.SuperblockLayout;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.Damage;
import dev.terrace.region.inspect.CacheInspection.Depth;
import dev.terrace.region.inspect.CacheInspection.RegionState;
import dev.terrace.region.inspect.CacheInspection.Stored;
import dev.terrace.region.inspect.CacheInspection.Tally;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code inspect}: shows the contents of a stopped cache, or of a region's list of heat. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the contents of a PMem or SSD path: format, regions, and the blocks and files that a"
          + " restart would find. With --verify it reads and checks every block: its entry in the"
          + " region's table, its key and its checksums. Of a region it shows which blocks a server"
          + " had cached: the list that it wrote for the next one. Changes nothing.",
      "From HDFS: hdfs dfs -cat /hbase/data/NAMESPACE/TABLE/REGION/.terrace-heat | ... inspect -"
    },
    footerHeading = "%n",
    footer = {
      "The cache must be stopped, or PATH a copy of it. Exit value: 0; 1 if the superblock, the"
          + " regions file or the list is damaged, or with --verify any block; 2 if the cache is in"
          + " use, or PATH is not a cache or may not be read, or an option is wrong; 3 if another"
          + " version of Terrace wrote it."
    })
public final class InspectCommand implements Callable<Integer> {

  private static final String ALL = "all";

  private static final List<String> TYPE_NAMES =
      List.of(
          "DATA",
          "ENCODED_DATA",
          "LEAF_INDEX",
          "INTERMEDIATE_INDEX",
          "ROOT_INDEX",
          "BLOOM_CHUNK",
          "GENERAL_BLOOM_META",
          "DELETE_FAMILY_BLOOM_META",
          "META",
          "FILE_INFO",
          "TRAILER");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      description =
          "A path of the configuration, the folder 'terrace' in it, or a copy of either; a region's"
              + " .terrace-heat or the folder of it, or - for one from the standard input.")
  private String path;

  @Option(
      names = "--files",
      paramLabel = "N|all",
      converter = FileLimit.class,
      defaultValue = "10",
      description = "Lists at most N files, the largest first (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(names = "--json", description = "Writes JSON instead of text.")
  private boolean asJson;

  @Option(names = "--verify", description = "Reads and checks every block.")
  private boolean verify;

  @Option(
      names = "--most",
      paramLabel = "N",
      converter = Count.class,
      defaultValue = "1000",
      description =
          "With --verify, lists at most N damaged places, and counts the others (default:"
              + " ${DEFAULT-VALUE}).")
  private int most;

  /** A number of places. */
  static final class Count implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      if (!value.matches("[0-9]{1,9}")) {
        throw new TypeConversionException("'" + value + "' must be a number, 0 or more");
      }
      return Integer.valueOf(value);
    }
  }

  /** A number of files, or {@code all}. */
  static final class FileLimit implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      if (value.toLowerCase(Locale.ROOT).equals(ALL)) {
        return Integer.MAX_VALUE;
      }
      if (!value.matches("[0-9]{1,9}")) {
        throw new TypeConversionException("'" + value + "' must be a number of files, or all");
      }
      return Integer.valueOf(value);
    }
  }

  @Override
  public Integer call() {
    if (HeatReport.isOf(path)) {
      return HeatReport.print(spec, path, files);
    }
    return StoppedCache.open(
        spec, Path.of(path), cache -> verify ? VerifyReport.print(spec, cache, most) : tell(cache));
  }

  private int tell(ReadOnlyDevice cache) {
    PrintWriter out = spec.commandLine().getOut();
    CacheInspection found = CacheInspection.of(cache, Depth.TABLES, (done, all) -> {});
    if (asJson) {
      out.println(json(cache, found));
    } else {
      out.print(new InspectReport(cache, found, files, ZoneId.systemDefault()));
    }
    out.flush();
    return 0;
  }

  private String json(ReadOnlyDevice cache, CacheInspection found) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("path", cache.path());
    facts.put("kind", cache.superblock().kind().toString());
    facts.put("formatVersion", SuperblockLayout.FORMAT_VERSION);
    facts.put("id", cache.id().toString());
    facts.put("generation", cache.generation());
    facts.put("created", Instant.ofEpochMilli(cache.superblock().createdMillis()).toString());
    facts.put("opened", Instant.ofEpochMilli(cache.superblock().openedMillis()).toString());
    facts.put("regionBytes", cache.regionBytes());
    Map<String, Integer> regions = new LinkedHashMap<>();
    for (RegionState state : RegionState.values()) {
      regions.put(state.toString(), found.regions(state));
    }
    facts.put("regions", regions);
    facts.put("live", tally(found.live()));
    facts.put("superseded", tally(found.superseded()));
    facts.put("fleeting", tally(found.fleeting()));
    found.oldest().ifPresent(block -> facts.put("oldest", stored(block)));
    found.newest().ifPresent(block -> facts.put("newest", stored(block)));
    Map<String, Object> types = new LinkedHashMap<>();
    for (int type = 0; type < BlockTraits.TYPES; type++) {
      if (found.ofType(type).blocks() > 0) {
        types.put(typeName(type), tally(found.ofType(type)));
      }
    }
    facts.put("types", types);
    facts.put("files", found.files().stream().limit(files).map(InspectCommand::file).toList());
    facts.put("fileCount", found.files().size());
    facts.put("damages", found.damages().stream().map(Damage::toString).toList());
    return Json.of(facts);
  }

  private static Map<String, Object> tally(Tally tally) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("blocks", tally.blocks());
    json.put("payloadBytes", tally.payloadBytes());
    return json;
  }

  private static Map<String, Object> stored(Stored block) {
    Map<String, Object> key = new LinkedHashMap<>();
    key.put("file", block.key().file());
    key.put("offset", block.key().offset());
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("key", key);
    json.put("sequence", block.sequence());
    json.put("region", block.region());
    json.put("regionMillis", block.regionMillis());
    return json;
  }

  private static Map<String, Object> file(FileUsage file) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("file", file.file());
    json.put("blocks", file.blocks());
    json.put("payloadBytes", file.payloadBytes());
    return json;
  }

  /**
   * The name of HBase's block type that has a number on the device; {@code OTHER} if the number has
   * none.
   *
   * @param number from 0 to {@link BlockTraits#TYPES} less one
   */
  public static String typeName(int number) {
    return number < TYPE_NAMES.size() ? TYPE_NAMES.get(number) : "OTHER";
  }
}
