// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.diagnosis;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage.COMPACTED;
import static dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.blocks.HeapCopies;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.OnlineRegion;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.Owner;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Over real tiers: DRAM, and an SSD that does all of its work on the caller's thread. */
final class WhyNotCachedTest {

  private static final int BLOCK_BYTES = 30_000;
  private static final int BLOCKS = 100;
  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "fedcba9876543210fedcba9876543210";

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private final AtomicLong nowMillis = new AtomicLong(1_000 * FileEvents.Count.PERIOD_MILLIS);
  private final LeaseLedger ledger = LeaseLedger.counting();
  private final CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
  private final List<OpenStoreFile> open = new ArrayList<>();
  private final FileCatalog known = new FileCatalog(FILES, this::regions, () -> 0);
  private final SimulatedDevice device =
      new SimulatedDevice(new SimulatedDisk(16, 1 << 20), false, 1);
  private TieredCache<CountedBlock> cache;
  private FileEvents events;
  private WhyNotCached why;

  @AfterEach
  void close() {
    if (cache != null) {
      cache.close();
    }
    ledger.assertAllReleased();
  }

  private final Map<String, Map<String, Map<String, Long>>> shares = new LinkedHashMap<>();

  private DramTier<CountedBlock> dram(int megabytes) {
    return new DramTier<>(codec, new DramConfig((long) megabytes << 20, 0.3));
  }

  private RegionTier<CountedBlock> ssd(RegionConfig config) {
    RegionTier<CountedBlock> tier =
        new RegionTier<>(codec, List.of(device), config, path -> Runnable::run, System::nanoTime);
    tier.start();
    return tier;
  }

  private void start(Map<String, Long> writeLimits, List<Tier<CountedBlock>> tiers) {
    Movement movement =
        Movement.standard(tiers, false, writeLimits, () -> 0L, Runnable::run, 4 << 20);
    cache = new TieredCache<>(FILES, tiers, codec, movement);
    events = new FileEvents(cache, known, nowMillis::get);
    why =
        new WhyNotCached(cache, known, events, new HeapCopies(Optional::empty, true), () -> shares);
  }

  private Stream<OnlineRegion> regions() {
    return open.stream().map(file -> new OnlineRegion(file.owner().region(), true, List.of(file)));
  }

  private void open(String file, String table, String family, boolean cached, boolean inMemory) {
    long bytes = (long) BLOCKS * BLOCK_BYTES;
    open.add(
        new OpenStoreFile(
            file,
            new Owner("region-of-" + table, "default:" + table, family),
            OPEN,
            new OpenStoreFile.Traits(cached, inMemory, false, false, bytes, null)));
  }

  private void open(String file) {
    open(file, "users", "info", true, false);
  }

  /** As HBase does: looks each block up, and puts those that are absent. */
  private void read(String file, int blocks) {
    for (long offset = 0; offset < blocks; offset++) {
      CountedBlock found = cache.get(file(file), offset, Access.CACHING);
      if (found != null) {
        found.release();
      } else {
        events.missed(file(file), true);
        put(file, offset, BLOCK_BYTES, Source.READ);
      }
    }
  }

  private void put(String file, long offset, int sizeBytes, Source source) {
    CountedBlock block = CountedBlock.of(file, offset, sizeBytes);
    events.put(file(file), source, cache.put(file(file), offset, block, DATA, source));
    block.release();
  }

  @Test
  void sharesThatCountAreShown() {
    start(Map.of(), List.of(dram(16)));
    open("file");
    read("file", 1);
    assertThat(why.answer("file")).doesNotContain("share");
    Map<String, Long> share =
        Map.of("min", 0L, "max", 3L << 20, "bytes", 1L << 20, "hits", 2_048L, "refused", 7L);
    shares.put(
        "dram", Map.of("default:users/info", share, "default:*", share, "default:others", share));

    for (String subject : List.of("file", "users", "users info")) {
      assertThat(why.answer(subject).lines().map(String::strip))
          .as(subject)
          .anyMatch(line -> line.matches("default:users/info +dram +0 B +3 MB +1 MB +2,048 +7"))
          .anyMatch(line -> line.startsWith("default:*"))
          .noneMatch(line -> line.startsWith("default:others"));
    }
  }

  private List<String> lines(String name) {
    return why.answer(name).lines().toList();
  }

  /** HBase lists them in no store. */
  @Test
  void filesOfMobCellsAreInUse() {
    String mob =
        "d41d8cd98f00b204e9800998ecf8427e20261126c5bd60eac8c54d8f8dd9ea62ed3b5a35_"
            + "0123456789abcdef0123456789abcdef";
    start(Map.of(), List.of(dram(8)));
    open(FILE);
    file(mob).recovered("1 mobregion default:users");
    read(FILE, 3);
    read(mob, 4);

    assertThat(lines("users").get(0)).startsWith("7 blocks of table default:users are cached");
    assertThat(why.answer("users"))
        .doesNotContain("no longer open", "of about", "All of it")
        .contains("It has MOB cells: ");
    assertThat(lines(mob).get(0)).startsWith("4 blocks of file " + mob + " are cached");
    assertThat(lines(mob).get(1)).startsWith("It has MOB cells: ");
  }

  @Test
  void blocksOfEncryptedFamiliesAreRefusedByTheSsd() {
    start(Map.of(), List.of(dram(1), ssd(RegionConfig.named("ssd", FILES))));
    open(FILE);
    file(FILE).setEncrypted(true);
    read(FILE, BLOCKS);

    assertThat(lines(FILE).get(0))
        .matches(
            "\\d+ blocks of file "
                + FILE
                + " are cached \\(.* of about 2\\.9 MB\\): \\d+ in dram, 0 in ssd\\.");
    assertThat(lines(FILE).get(1))
        .matches(
            "Since \\d\\d:\\d\\d ssd refused blocks \\d+ times: ENCRYPTED\\. The family is"
                + " encrypted, .*");
    assertThat(why.answer(FILE))
        .containsPattern("reads +MISS +100 +100\n")
        .containsPattern("ssd +put: ENCRYPTED +([0-9]+) +\\1\n")
        .containsPattern("tier +blocks +bytes\ndram +[0-9]+ +[0-9.]+ [KM]B\nssd +0 +0 B\n");
  }

  @Test
  void whatIsColderThanTheRestLeavesTheLowestTier() {
    start(Map.of(), List.of(dram(1)));
    open(OTHER, "hot", "info", true, false);
    open(FILE);
    for (int i = 0; i < 20; i++) {
      read(OTHER, 28);
    }
    nowMillis.addAndGet(Duration.ofHours(1).toMillis());
    read(FILE, BLOCKS);

    assertThat(lines("users info").get(1))
        .contains(" dram evicted ", " blocks: SIZE. They made room for blocks that are read more");
    assertThat(lines("hot").get(0)).matches("2[0-9] blocks of table default:hot are cached .*");
  }

  @Test
  void aDeviceThatFailsIsNamed() {
    start(Map.of(), List.of(dram(1), ssd(RegionConfig.named("ssd", FILES))));
    open(FILE);
    read(FILE, BLOCKS);
    assertThat(why.answer(FILE)).contains("All of it is cached.").doesNotContain("path");

    device.readErrors(1);
    read(FILE, BLOCKS);

    assertThat(lines(FILE).get(1))
        .startsWith("The path simulated of ssd has been out of service since ")
        .contains(": its blocks are misses until it works again. Cause: EIO, ");
  }

  @Test
  void whatLiesOnADeviceThatFailsIsNotJustCached() {
    start(Map.of(), List.of(dram(1), ssd(RegionConfig.named("ssd", FILES))));
    open(FILE);
    read(FILE, BLOCKS);
    device.readErrors(1);
    for (long offset = 0; offset < BLOCKS; offset++) {
      CountedBlock found = cache.get(file(FILE), offset, Access.CACHING);
      if (found != null) {
        found.release();
      }
    }
    assertThat(why.answer(FILE))
        .contains(" has been out of service since ", "All of it is cached, but ")
        .doesNotContain("All of it is cached.");
  }

  @Test
  void theWriteLimitIsNamed() {
    start(Map.of("ssd", 64L << 10), List.of(dram(1), ssd(RegionConfig.named("ssd", FILES))));
    open(OTHER, "hot", "info", true, false);
    open(FILE);
    read(OTHER, 2 * BLOCKS);
    read(FILE, BLOCKS);

    assertThat(lines(FILE).get(1))
        .contains(" ssd refused blocks ", " times: OVER_BUDGET. ", "hbase.terrace.ssd.write.limit");
  }

  @Test
  void anInMemoryFamilyWithoutRoomHasItsOwnAdvice() {
    start(Map.of(), List.of(dram(1)));
    open(FILE, "users", "info", true, true);
    read(FILE, BLOCKS);

    assertThat(lines(FILE).get(1))
        .startsWith("IN_MEMORY is true for default:users info: ")
        .contains("hbase.terrace.dram.protected.share");
  }

  @Test
  void blocksTooLargeForATierAreNamed() {
    start(Map.of(), List.of(dram(1)));
    open(FILE);
    for (long offset = 0; offset < 60; offset++) {
      put(FILE, offset, 200_000, Source.READ);
    }
    assertThat(lines(FILE).get(1))
        .contains("dram refused blocks 60 times: BAD_SIZE. ", "BLOCKSIZE");
  }

  @Test
  void aFamilyThatIsNotCachedIsNamedFirst() {
    start(Map.of(), List.of(dram(1)));
    open(FILE, "users", "info", false, false);
    open(OTHER, "users", "photos", true, false);

    assertThat(lines("users").get(0))
        .isEqualTo("No blocks of table default:users are cached (0 B of about 5.7 MB): 0 in dram.");
    assertThat(lines("users").get(1))
        .isEqualTo(
            "HBase does not cache the data of default:users info, because BLOCKCACHE is false there."
                + " To change that, in the HBase shell: alter 'TABLE', {NAME => 'FAMILY', BLOCKCACHE"
                + " => true}");
    assertThat(why.answer("users photos")).doesNotContain("BLOCKCACHE");
  }

  @Test
  void whatNobodyAskedForIsToldFromWhatReadersDoNotCache() {
    start(Map.of(), List.of(dram(16)));
    open(FILE);
    assertThat(lines(FILE).get(1)).startsWith("Most of it was not read since ");

    for (int i = 0; i < BLOCKS; i++) {
      events.missed(file(FILE), false);
    }
    assertThat(lines(FILE).get(1))
        .matches("100 blocks missed since \\d\\d:\\d\\d in readers that do not cache: .*");
  }

  @Test
  void coldDataIsNamed() {
    start(Map.of(), List.of(dram(16)));
    open(FILE);
    events.cold(file(FILE));

    assertThat(lines(FILE).get(1)).startsWith("HBase's data tiering classified it as cold");
  }

  @Test
  void aCompactedFileIsNamedAndItsTableRemembersIt() {
    start(Map.of(), List.of(dram(16)));
    open(FILE);
    known.learnOpenFiles();
    read(FILE, BLOCKS);
    assertThat(lines(FILE)).contains("All of it is cached.");

    open.clear();
    open(OTHER);
    events.evicting(file(FILE));
    known.evicted(file(FILE));
    cache.evictFile(file(FILE));

    assertThat(lines(FILE).get(1)).startsWith("HBase evicted it since ");
    assertThat(lines(FILE).get(2)).contains("dram evicted 100 blocks: FILE. ", "compacted");
    assertThat(lines("users info").get(1)).contains("dram evicted 100 blocks: FILE. ");
    assertThat(lines("users photos").get(0)).startsWith("No record of family photos");
  }

  @Test
  void whatIsLeftOfFilesThatAreNotOpenCountsApart() {
    start(Map.of(), List.of(dram(16)));
    open(FILE);
    read(FILE, BLOCKS);
    open.replaceAll(file -> new OpenStoreFile(FILE, file.owner(), COMPACTED, file.traits()));
    open(OTHER);
    read(OTHER, 1);

    assertThat(lines("users").get(0))
        .isEqualTo(
            "1 block of table default:users is cached (29.3 KB of about 2.9 MB): 1 in dram.");
    assertThat(lines("users").get(1))
        .startsWith("In addition, 100 blocks of files that are no longer open are cached (2.9 MB)");
    assertThat(lines(FILE).get(0)).startsWith("100 blocks of file " + FILE + " are cached");
  }

  @Test
  void namesMayBePathsAndTablesMayLackTheNamespace() {
    start(Map.of(), List.of(dram(16)));
    open(FILE);
    read(FILE, BLOCKS);

    String file = why.answer(FILE);
    assertThat(why.answer("/hbase/data/default/users/region/info/" + FILE)).isEqualTo(file);
    assertThat(why.answer(" " + FILE + ".0123456789abcdef0123456789abcdef")).isEqualTo(file);
    assertThat(why.answer("default:users")).isEqualTo(why.answer("users")).contains("100 in dram");
    assertThat(why.answer("users   info")).contains("family info of table default:users");
  }

  @Test
  void anUnknownNameIsToldAndABlankOneIsAnError() {
    start(Map.of(), List.of(dram(16)));

    assertThat(lines("nothing"))
        .singleElement()
        .asString()
        .startsWith("No record of table default:nothing: ")
        .endsWith("Check the name, and ask the server that has its regions.");
    assertThatThrownBy(() -> why.answer(" ")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void oldReasonsAreTheAnswerIfThereIsNoNewOne() {
    start(Map.of(), List.of(dram(1)));
    open(FILE);
    for (long offset = 0; offset < 60; offset++) {
      put(FILE, offset, 200_000, Source.READ);
    }
    nowMillis.addAndGet(Duration.ofHours(1).toMillis());
    events.missed(file(FILE), true);

    assertThat(lines(FILE).get(1)).contains("dram refused blocks 60 times: BAD_SIZE. ");
    assertThat(why.answer(FILE)).containsPattern("dram +put: BAD_SIZE +0 +60\n");
  }

  @Test
  void theNumberOfFilesIsBounded() {
    start(Map.of(), List.of(dram(1)));
    assertThat(events.isComplete()).isTrue();
    for (int i = 0; i < 2 * FileEvents.MAX_FILES; i++) {
      events.missed(file("file" + i), true);
    }

    List<String> remembered = new ArrayList<>();
    events.counts((file, places) -> remembered.add(file));
    assertThat(remembered).hasSizeBetween(1, FileEvents.MAX_FILES);
    assertThat(events.isComplete()).isFalse();
  }
}
