// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.Terrace;
import dev.terrace.hbase.TerraceCoprocessor;
import dev.terrace.hbase.TerraceRegionServer;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Findings;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.region.cipher.RefusedNonces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HBase's own settings, and its versions. */
class HBaseCheckTest {

  private static final String[] CLASS = {
    "hbase.regionserver.impl", TerraceRegionServer.class.getName()
  };
  private static final String[] COPROCESSOR = {
    "hbase.coprocessor.regionserver.classes", "a.Other, " + TerraceCoprocessor.class.getName()
  };
  private static final String[] EXTERNAL = {
    "hbase.blockcache.external.class", TieredBlockCache.class.getName(),
    "hbase.blockcache.use.external", "true",
    "hfile.block.cache.policy", "IndexOnlyLRU"
  };

  @TempDir Path folder;

  private static String[] and(String[] first, String... others) {
    return Stream.concat(Arrays.stream(first), Arrays.stream(others)).toArray(String[]::new);
  }

  private static StartChecks check(String hbase, String... keysAndValues) {
    return new StartChecks(
        new SiteValues(OpenCaches.conf(keysAndValues)),
        new ServerProcess(Long.MAX_VALUE, Long.MAX_VALUE, 0, Long.MAX_VALUE, hbase));
  }

  private static List<Finding> warnings(String... keysAndValues) {
    StartChecks checks = check("2.6.4", keysAndValues);
    assertThat(checks.errors()).isEmpty();
    return checks.warnings();
  }

  private static void assertWarned(String what, String... keysAndValues) {
    assertThat(warnings(keysAndValues))
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.what()).isEqualTo(what);
              assertThat(warning.why()).endsWith(".");
              assertThat(warning.remedy()).isNotBlank();
            });
  }

  @Test
  void aLowLimitOfDescriptorsIsWarnedOf() {
    Findings findings = new Findings();
    HBaseCheck.checkDescriptors(TerraceSettings.OF_NO_TIER, 10_240, findings);
    assertThat(findings).isEmpty();
    HBaseCheck.checkDescriptors(TerraceSettings.OF_NO_TIER, 1_024, findings);
    assertThat(findings)
        .singleElement()
        .satisfies(warning -> assertThat(warning.what()).contains("may open 1,024 files"));
  }

  @Test
  void eachEntryPointAloneIsFine() {
    assertThat(warnings(CLASS)).isEmpty();
    assertThat(warnings(COPROCESSOR)).isEmpty();
    assertThat(warnings(EXTERNAL)).isEmpty();
    assertThat(EntryKeys.of(new SiteValues(OpenCaches.conf(COPROCESSOR))))
        .containsExactly("hbase.coprocessor.regionserver.classes");
  }

  @Test
  void encryptionNeedsAKeyProvider() throws Exception {
    String path = Files.createDirectory(folder.resolve("ssd")).toString();
    String[] encrypts =
        and(
            CLASS,
            "hbase.terrace.encryption",
            "all",
            "hbase.terrace.ssd.paths",
            path,
            "hbase.terrace.ssd.size",
            "16m");
    assertThat(check("2.6.4", encrypts).errors())
        .singleElement()
        .satisfies(
            error ->
                assertThat(error.message())
                    .isEqualTo(
                        "hbase.terrace.encryption=all needs a key provider, and HBase has none: set"
                            + " hbase.crypto.keyprovider and hbase.crypto.keyprovider.parameters, as"
                            + " for encrypted families, or hbase.terrace.encryption to none"));
    String[] provided = {"hbase.crypto.keyprovider.parameters", "jceks:///keys?password=secret"};
    assertThat(check("2.6.4", and(encrypts, provided)).errors()).isEmpty();
    assertThat(check("2.6.4", and(encrypts, provided)).warnings())
        .noneSatisfy(finding -> assertThat(finding.toString()).contains("nonce"));
    StartChecks refused = RefusedNonces.in(() -> check("2.6.4", and(encrypts, provided)));
    assertThat(refused.errors())
        .as("a tier that takes no block")
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.toString())
                    .contains("hbase.terrace.encryption=all", "nonce", "ENCRYPTED"));
    String[] some = and(and(encrypts, provided), "hbase.terrace.encryption", "encrypted-families");
    refused = RefusedNonces.in(() -> check("2.6.4", some));
    assertThat(refused.errors()).isEmpty();
    assertThat(refused.warnings())
        .anySatisfy(finding -> assertThat(finding.toString()).contains("nonce"));
  }

  @Test
  void encryptionIsForPathsAlone() {
    assertWarned(
        "hbase.terrace.encryption=all has no effect without a tier on PMem or SSD",
        and(CLASS, "hbase.terrace.encryption", "all"));
  }

  @Test
  void evictionOnCloseEmptiesTheTiersThatSurvive() throws Exception {
    String[] evicts = and(CLASS, "hbase.rs.evictblocksonclose", "true");
    assertThat(warnings(evicts)).as("of DRAM nothing survives").isEmpty();

    String path = Files.createDirectory(folder.resolve("ssd")).toString();
    assertThat(
            warnings(and(evicts, "hbase.terrace.ssd.paths", path, "hbase.terrace.ssd.size", "16m")))
        .extracting(Finding::what)
        .contains("hbase.rs.evictblocksonclose=true");
  }

  @Test
  void anExternalCacheWantsIndexOnlyLru() {
    assertWarned(
        "hfile.block.cache.policy=TinyLFU above an external cache",
        and(EXTERNAL, "hfile.block.cache.policy", "TinyLFU"));
    assertWarned(
        "hfile.block.cache.policy=LRU above an external cache", Arrays.copyOf(EXTERNAL, 4));
  }

  @Test
  void belowNoCacheThereIsNoExternalOne() {
    String[] settings = and(EXTERNAL, "hfile.block.cache.size", "0");

    assertThat(BlockCacheFactory.createBlockCache(OpenCaches.conf(settings))).isNull();
  }

  @Test
  void twoEntryPointsMakeTwoCaches() throws Exception {
    String what =
        "hbase.coprocessor.regionserver.classes and hbase.blockcache.external.class all name"
            + " Terrace";
    assertWarned(what, and(EXTERNAL, COPROCESSOR));

    String path = Files.createDirectory(folder.resolve("pmem")).toString();
    assertThat(
            check(
                    "2.6.4",
                    and(
                        and(EXTERNAL, COPROCESSOR),
                        "hbase.terrace.pmem.paths",
                        path,
                        "hbase.terrace.pmem.size",
                        "16m"))
                .errors())
        .extracting(Finding::what)
        .containsExactly(what);
  }

  @Test
  void anEntryPointBesideTheServersClassHasNoEffect() {
    String what = "hbase.regionserver.impl and %s all name Terrace";
    assertWarned(what.formatted(COPROCESSOR[0]), and(CLASS, COPROCESSOR));
    assertWarned(what.formatted(EXTERNAL[0]), and(CLASS, EXTERNAL));
  }

  @Test
  void aBucketCacheIsMadeBeforeTheCoprocessorReplacesIt() {
    assertWarned(
        "hbase.bucketcache.ioengine=offheap beside Terrace",
        and(COPROCESSOR, "hbase.bucketcache.ioengine", "offheap"));
    assertThat(warnings(and(CLASS, "hbase.bucketcache.ioengine", "offheap"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.5.15", "2.6.4", "3.0.0", "3.0.0-alpha-4", "2.5.13-hadoop3"})
  void testedVersionsOfHBaseAreFine(String version) {
    assertThat(check(version).warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.7.2", "2.4.18", "2.50.0", "2.7.0", "4.0.0"})
  void othersAreNamed(String version) {
    assertThat(check(version).warnings())
        .extracting(Finding::what)
        .containsExactly("HBase " + version + " is not tested");
  }

  /** HBase itself is asked whether it would start. */
  @ParameterizedTest
  @CsvSource({
    "0.4, 0.4",
    "0.5, 0.4",
    "0.6, 0.2",
    "0.6, 0.21",
    "0.7, 0.1",
    "0.9, 0.4",
    "0.9, 0.45",
    "0.8, 0"
  })
  void heapSharesWithWhichHBaseDoesNotStartAreAnError(String memstore, String cache) {
    String[] shares = {
      "hbase.regionserver.global.memstore.size", memstore, "hfile.block.cache.size", cache
    };
    for (String[] entry : List.of(COPROCESSOR, CLASS)) {
      Configuration conf = OpenCaches.conf(and(entry, shares));
      Configuration atHBasesCheck = entry == CLASS ? Terrace.prepare(conf) : conf;
      boolean starts =
          catchThrowable(
                  () -> MemorySizeUtil.validateRegionServerHeapMemoryAllocation(atHBasesCheck))
              == null;

      assertThat(check("2.6.4", and(entry, shares)).errors().isEmpty())
          .as("%s memstore=%s cache=%s", entry[0], memstore, cache)
          .isEqualTo(starts);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 21, 25})
  void testedVersionsOfJavaAreFine(int java) {
    Findings findings = new Findings();
    HBaseCheck.checkVersions("2.6.4", java, findings);
    assertThat(findings).isEmpty();
  }

  @Test
  void laterOnesAreNamed() {
    Findings findings = new Findings();
    HBaseCheck.checkVersions("2.6.4", 26, findings);
    assertThat(findings).extracting(Finding::what).containsExactly("Java 26 is not tested");
  }
}
