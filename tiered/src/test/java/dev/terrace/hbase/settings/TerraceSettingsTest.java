// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.hbase.settings.TerraceSettings.DirectIoChoice;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.memory.DirectMemory;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TerraceSettingsTest {

  private static final long LIMIT_BYTES = 1L << 40;

  private static Configuration conf(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  private static SiteValues site(String... keysAndValues) {
    return new SiteValues(conf(keysAndValues));
  }

  private static TerraceSettings parse(String... keysAndValues) {
    return ReadSettings.of(site(keysAndValues), LIMIT_BYTES);
  }

  private static String error(String... keysAndValues) {
    Throwable error = catchThrowable(() -> parse(keysAndValues));
    assertThat(error).isInstanceOf(SettingsException.class);
    return error.getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    "1048576, 1048576",
    "512m, 536870912",
    "8g, 8589934592",
    "8G, 8589934592",
    "' 2g ', 2147483648",
    "1048576k, 1073741824"
  })
  void sizesAreBytesOrHaveASuffix(String written, long bytes) {
    assertThat(parse("hbase.terrace.dram.size", written).dramSizeBytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"200g, 200g", "204800m, 200g", "1536m, 1536m", "1048577, 1048577", "0, 0", "2t, 2t"})
  void aSizeIsShownAsOneWritesIt(String written, String shown) {
    String key = TerraceSettings.SSD_WRITE_LIMIT.key();
    assertThat(parse("hbase.terrace.dram.size", "1g", key, written).asMap())
        .containsEntry(key, shown);
  }

  @Test
  void aSizeMayComeFromAVariable() {
    TerraceSettings settings = parse("a.budget", "3g", "hbase.terrace.dram.size", "${a.budget}");

    assertThat(settings.dramSizeBytes()).isEqualTo(3L << 30);
  }

  @Test
  void whatIsNotSetHasItsDefault() {
    TerraceSettings settings = parse("hbase.terrace.dram.size", "8g");

    assertThat(settings.get(TerraceSettings.DRAM_PROTECTED_SHARE)).isEqualTo(0.5);
    assertThat(TerraceSettings.ALL)
        .allSatisfy(
            setting -> {
              assertThat(setting.key()).startsWith(TerraceSettings.PREFIX);
              assertThat(setting.defaultValue()).isNotEmpty();
            });
    assertThat(settings.asMap().keySet())
        .containsExactlyElementsOf(TerraceSettings.ALL.stream().map(Setting::key).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"8gb", "much", "-1", "-8g", "1.5g", "8 g", "99999999999g"})
  void whatIsNoSizeIsAnError(String written) {
    assertThat(error("hbase.terrace.dram.size", written))
        .isEqualTo(
            "hbase.terrace.dram.size="
                + written
                + " is not a size: write bytes, or a number with k, m, g or t, such as 8g");
  }

  @ParameterizedTest
  @ValueSource(strings = {"half", "-0.1", "1.1", "NaN", "50%"})
  void whatIsNoShareIsAnError(String written) {
    assertThat(
            error("hbase.terrace.dram.size", "8g", "hbase.terrace.dram.protected.share", written))
        .isEqualTo(
            "hbase.terrace.dram.protected.share="
                + written
                + " is not a share: write a number from 0 to 1, such as 0.5");
  }

  @Test
  void theEndsOfAShareAreShares() {
    String key = "hbase.terrace.dram.protected.share";
    assertThat(
            parse("hbase.terrace.dram.size", "8g", key, "0")
                .get(TerraceSettings.DRAM_PROTECTED_SHARE))
        .isZero();
    assertThat(
            parse("hbase.terrace.dram.size", "8g", key, "1")
                .get(TerraceSettings.DRAM_PROTECTED_SHARE))
        .isOne();
  }

  @Test
  void whatIsEncryptedIsOneOfThree() {
    String key = "hbase.terrace.encryption";
    for (DeviceEncryption each : DeviceEncryption.values()) {
      assertThat(
              parse("hbase.terrace.dram.size", "8g", key, TerraceSettings.ENCRYPTION.text(each))
                  .get(TerraceSettings.ENCRYPTION))
          .isEqualTo(each);
    }
    for (String written : List.of("ALL", "true", "encrypted_families")) {
      assertThat(error("hbase.terrace.dram.size", "8g", key, written))
          .isEqualTo(
              key + "=" + written + " is unknown: write one of none, encrypted-families, all");
    }
  }

  @Test
  void compressionIsOneOfThree() {
    for (String tier : List.of("pmem", "ssd")) {
      String key = "hbase.terrace." + tier + ".compression";
      for (Compression each : Compression.values()) {
        TerraceSettings settings = parse("hbase.terrace.dram.size", "8g", key, each.toString());
        assertThat(settings.asMap()).containsEntry(key, each.toString());
        assertThat(
                List.of(
                    settings.get(TerraceSettings.PMEM_COMPRESSION),
                    settings.get(TerraceSettings.SSD_COMPRESSION)))
            .contains(each, Compression.NONE);
      }
      assertThat(error("hbase.terrace.dram.size", "8g", key, "gzip"))
          .isEqualTo(key + "=gzip is unknown: write one of none, lz4, zstd");
    }
  }

  @Test
  void aLimitOfWritesLetsARegionBeWritten() {
    String key = "hbase.terrace.ssd.write.limit";
    assertThat(error("hbase.terrace.dram.size", "8g", key, "63k"))
        .isEqualTo(key + "=63k is too small: the minimum is 64 KB");
    assertThat(parse("hbase.terrace.dram.size", "8g", key, "64k").asMap())
        .containsEntry(key, "64k");
  }

  @Test
  void defaultsAreWrittenInTheirUsualForm() {
    assertThat(parse("hbase.terrace.dram.size", "1g").with(TerraceSettings.DRAM_SIZE, 0L))
        .isEqualTo(TerraceSettings.OF_NO_TIER);
  }

  @Test
  void noTierIsAnErrorWithAnExample() {
    String message =
        "no tier is configured: set hbase.terrace.dram.size, for example to 8g, for a DRAM tier"
            + " of 8 GB, or the paths and size of a PMem or SSD tier";

    assertThat(error()).isEqualTo(message);
    assertThat(error("hbase.terrace.dram.size", "0")).isEqualTo(message);
    assertThat(error("hbase.terrace.dram.size", " ")).isEqualTo(message);
  }

  @Test
  void aTierThatIsTooSmallIsAnError() {
    assertThat(error("hbase.terrace.dram.size", "100k"))
        .isEqualTo("hbase.terrace.dram.size=100k is too small: the minimum is 1 MB");
  }

  @Test
  void aTierThatIsTooLargeIsAnError() {
    assertThat(error("hbase.terrace.dram.size", "4000t"))
        .startsWith("hbase.terrace.dram.size=4000t is too large: the maximum is ");
  }

  @Test
  void moreThanTheJvmAllowsIsAnErrorThatSaysHowToRaiseIt() {
    assertThatThrownBy(() -> ReadSettings.of(site("hbase.terrace.dram.size", "64g"), 1L << 30))
        .hasMessageContainingAll("too little direct memory", " 64 GB (0 B ", " 1 GB: ")
        .hasMessageContaining("(HBASE_OFFHEAPSIZE in hbase-env.sh) to at least 65719m");
  }

  @Test
  void theLimitIsThatOfThisJvm() {
    long limitBytes = DirectMemory.limitBytes();

    assertThat(limitBytes).isBetween(1L << 20, 1L << 45);
    assertThatThrownBy(
            () -> ReadSettings.of(site("hbase.terrace.dram.size", "" + (limitBytes + 1))))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(ByteSize.readable(limitBytes));
  }

  @Test
  void anySubsetOfTheTiersWillDo() {
    TerraceSettings pmem =
        parse(
            "hbase.terrace.pmem.paths", "/mnt/pmem0, /mnt/pmem1/", "hbase.terrace.pmem.size", "1t");
    assertThat(pmem.dramSizeBytes()).isZero();
    assertThat(pmem.pmem())
        .isEqualTo(new TierSpace(List.of(Path.of("/mnt/pmem0"), Path.of("/mnt/pmem1")), 1L << 40));
    assertThat(pmem.ssd()).isEqualTo(TierSpace.NONE);

    TerraceSettings ssd =
        parse(
            "hbase.terrace.dram.size", "0",
            "hbase.terrace.ssd.paths", "/mnt/nvme0",
            "hbase.terrace.ssd.size", "2t",
            "hbase.terrace.ssd.verify", "false",
            "hbase.terrace.ssd.direct", "true",
            "hbase.terrace.ssd.write.limit", "50m");
    assertThat(ssd.pmem().isConfigured()).isFalse();
    assertThat(ssd.ssd().isConfigured()).isTrue();
    assertThat(ssd.get(TerraceSettings.SSD_VERIFY)).isFalse();
    assertThat(ssd.get(TerraceSettings.SSD_DIRECT)).isEqualTo(DirectIoChoice.TRUE);
    assertThat(ssd.get(TerraceSettings.SSD_WRITE_LIMIT)).isEqualTo(50L << 20);
    assertThat(ssd.asMap())
        .containsEntry("hbase.terrace.ssd.paths", "/mnt/nvme0")
        .containsEntry("hbase.terrace.ssd.write.limit", "50m")
        .containsEntry("hbase.terrace.pmem.paths", "none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pmem | /mnt/a | | hbase.terrace.pmem.paths=/mnt/a has no size: set"
            + " hbase.terrace.pmem.size, for example to 100g, or to 0 for no tier",
        "ssd | | 1g | hbase.terrace.ssd.size=1g has no paths: set hbase.terrace.ssd.paths to"
            + " directories, or the size to 0",
        "ssd | mnt/a | 1g | hbase.terrace.ssd.paths=mnt/a has 'mnt/a', which is not an absolute"
            + " path: write for example /mnt/nvme0,/mnt/nvme1",
        "ssd | /mnt/a,,/mnt/b | 1g | hbase.terrace.ssd.paths=/mnt/a,,/mnt/b has '', which is not an"
            + " absolute path: write for example /mnt/nvme0,/mnt/nvme1",
        "ssd | /mnt/a / | 1g | hbase.terrace.ssd.paths=/mnt/a / has '/mnt/a ', which has a control"
            + " character or ends with a blank: name another directory",
        "ssd | /mnt/\t/b | 1g | hbase.terrace.ssd.paths=/mnt/\t/b has '/mnt/\t/b', which has a"
            + " control character or ends with a blank: name another directory",
        "pmem | /mnt/a,/mnt/b/../a | 1g | hbase.terrace.pmem.paths=/mnt/a,/mnt/b/../a names /mnt/a"
            + " twice: name each directory once",
        "pmem | /mnt/a,/mnt/b | 1m | hbase.terrace.pmem.size=1m is too small for 2 paths: the"
            + " minimum is 2 MB",
        "ssd | /mnt/a | 17t | hbase.terrace.ssd.size=17t is too large: the maximum is 16 TB",
        "ssd | /mnt/a | big | hbase.terrace.ssd.size=big is not a size: write bytes, or a number"
            + " with k, m, g or t, such as 8g",
      })
  void aPlaceThatMakesNoTierIsAnError(String tier, String paths, String size, String message) {
    Configuration conf = conf("hbase.terrace.dram.size", "8g");
    if (paths != null) {
      conf.set("hbase.terrace." + tier + ".paths", paths);
    }
    if (size != null) {
      conf.set("hbase.terrace." + tier + ".size", size);
    }

    assertThatThrownBy(() -> ReadSettings.of(new SiteValues(conf), LIMIT_BYTES))
        .hasMessage(message);
  }

  @Test
  void twoTiersInOnePlaceAreAnError() {
    assertThat(
            error(
                "hbase.terrace.pmem.paths", "/mnt/a",
                "hbase.terrace.pmem.size", "1g",
                "hbase.terrace.ssd.paths", "/mnt/b,/mnt/a",
                "hbase.terrace.ssd.size", "1g"))
        .isEqualTo(
            "hbase.terrace.ssd.paths=/mnt/b,/mnt/a names /mnt/a, as hbase.terrace.pmem.paths does:"
                + " give each tier its own directory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "1", "TRUE", "on"})
  void whatIsNeitherTrueNorFalseIsAnError(String written) {
    assertThat(error("hbase.terrace.dram.size", "8g", "hbase.terrace.ssd.verify", written))
        .isEqualTo(
            "hbase.terrace.ssd.verify="
                + written
                + " is neither true nor false: write one of them");
  }

  @Test
  void theDirectMemoryOfTheLowerTiersCountsToo() {
    Configuration conf =
        conf(
            "hbase.terrace.dram.size", "1g",
            "hbase.terrace.ssd.paths", "/mnt/a,/mnt/b",
            "hbase.terrace.ssd.size", "2t");

    assertThat(ReadSettings.of(new SiteValues(conf), 3L << 30).ssd().isConfigured()).isTrue();
    assertThatThrownBy(() -> ReadSettings.of(new SiteValues(conf), 2L << 30))
        .isInstanceOf(SettingsException.class)
        .hasMessageContainingAll("too little direct memory", " 2.1 GB (1.1 GB ", " 2 GB: ")
        .hasMessageContaining("(HBASE_OFFHEAPSIZE in hbase-env.sh) to at least 2327m");
  }

  @ParameterizedTest
  @CsvSource({
    "auto, 8, 7, true",
    "auto, 8, 8, false",
    "auto, 0, 0, false",
    "true, 0, 100, true",
    "false, 8, 0, false"
  })
  void thePageCacheIsBypassedIfItIsSmallerThanDram(
      String written, long dramBytes, long pageCacheBytes, boolean isDirect) {
    DirectIoChoice choice =
        parse("hbase.terrace.dram.size", "8g", "hbase.terrace.ssd.direct", written)
            .get(TerraceSettings.SSD_DIRECT);

    assertThat(choice.isDirect(dramBytes, pageCacheBytes)).isEqualTo(isDirect);
  }

  @Test
  void aTierThatIsTurnedOffMayBeNamed() {
    String[] off = {
      "hbase.terrace.dram.size", "8g",
      "hbase.terrace.ssd.size", "0",
      "hbase.terrace.ssd.paths", "/mnt/a"
    };

    assertThat(parse(off).ssd()).isEqualTo(TierSpace.NONE);
    assertThat(SettingsReader.unknownKeys(site(off))).isEmpty();
  }

  @Test
  void allProblemsAreSaidAtOnce() {
    assertThat(
            error(
                "hbase.terrace.dram.size", "much",
                "hbase.terrace.dram.protected.share", "more",
                "hbase.terrace.pmem.size", "1g"))
        .startsWith("3 settings are wrong:\n - ")
        .contains("dram.size=much", "dram.protected.share=more", "pmem.size=1g")
        .doesNotContain("no tier");
  }

  @Test
  void aMistypedKeyIsNamedWithTheOneThatWasMeant() {
    Configuration conf =
        conf(
            "hbase.terrace.dram.size", "8g",
            "hbase.terrace.dram.sizes", "9g",
            "hbase.terrace.protected.share", "0.1",
            "hbase.other", "1");

    assertThat(SettingsReader.unknownKeys(new SiteValues(conf)))
        .extracting(Finding::message)
        .containsExactly(
            "hbase.terrace.dram.sizes=9g is not a setting of Terrace: did you mean"
                + " hbase.terrace.dram.size?",
            "hbase.terrace.protected.share=0.1 is not a setting of Terrace: did you mean"
                + " hbase.terrace.dram.protected.share?");
    assertThat(ReadSettings.of(new SiteValues(conf), LIMIT_BYTES).dramSizeBytes())
        .isEqualTo(8L << 30);
  }
}
