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
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

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

  private static TerraceSettings parse(String... keysAndValues) {
    return TerraceSettings.parse(conf(keysAndValues), LIMIT_BYTES);
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

  @Test
  void aSizeMayComeFromAVariable() {
    TerraceSettings settings = parse("a.budget", "3g", "hbase.terrace.dram.size", "${a.budget}");

    assertThat(settings.dramSizeBytes()).isEqualTo(3L << 30);
  }

  @Test
  void whatIsNotSetHasItsDefault() {
    TerraceSettings settings = parse("hbase.terrace.dram.size", "8g");

    assertThat(settings.dramProtectedShare()).isEqualTo(0.5);
    assertThat(TerraceSettings.ALL)
        .allSatisfy(
            setting -> {
              assertThat(setting.key()).startsWith(TerraceSettings.PREFIX);
              assertThat(setting.defaultValue()).isNotEmpty();
              assertThat(setting.meaning()).endsWith(".");
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
    assertThat(parse("hbase.terrace.dram.size", "8g", key, "0").dramProtectedShare()).isZero();
    assertThat(parse("hbase.terrace.dram.size", "8g", key, "1").dramProtectedShare()).isOne();
  }

  @Test
  void noTierIsAnErrorWithAnExample() {
    String message =
        "no tier is configured: set hbase.terrace.dram.size, such as to 8g, for a DRAM tier of 8"
            + " GB";

    assertThat(error()).isEqualTo(message);
    assertThat(error("hbase.terrace.dram.size", "0")).isEqualTo(message);
    assertThat(error("hbase.terrace.dram.size", " ")).isEqualTo(message);
  }

  @Test
  void aTierThatIsTooSmallIsAnError() {
    assertThat(error("hbase.terrace.dram.size", "100k"))
        .isEqualTo("hbase.terrace.dram.size=100k is too small: the least is 1 MB");
  }

  @Test
  void aTierThatIsTooLargeIsAnError() {
    assertThat(error("hbase.terrace.dram.size", "4000t"))
        .startsWith("hbase.terrace.dram.size=4000t is too large: the most is ");
  }

  @Test
  void moreThanTheJvmAllowsIsAnErrorThatSaysHowToRaiseIt() {
    assertThatThrownBy(
            () -> TerraceSettings.parse(conf("hbase.terrace.dram.size", "64g"), 1L << 30))
        .hasMessage(
            "hbase.terrace.dram.size=64g is more than the 1 GB of direct memory that this JVM"
                + " allows: raise its limit by -XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE in"
                + " hbase-env.sh), or make the tier smaller");
  }

  @Test
  void theLimitIsThatOfThisJvm() {
    long limitBytes = DirectMemory.limitBytes();

    assertThat(limitBytes).isBetween(1L << 20, 1L << 45);
    assertThatThrownBy(
            () -> TerraceSettings.parse(conf("hbase.terrace.dram.size", "" + (limitBytes + 1))))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(DirectMemory.readable(limitBytes));
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.terrace.pmem.size, 100g, PMem",
    "hbase.terrace.pmem.paths, /mnt/pmem, PMem",
    "hbase.terrace.ssd.size, 1t, SSD",
    "hbase.terrace.ssd.write.limit, 50m, SSD"
  })
  void aTierThatThisVersionDoesNotHaveIsAnError(String key, String value, String tier) {
    assertThat(error("hbase.terrace.dram.size", "8g", key, value))
        .isEqualTo(
            key
                + "="
                + value
                + " asks for a tier on "
                + tier
                + ", which this version does not have: remove it");
  }

  @Test
  void aTierThatIsTurnedOffMayBeNamed() {
    String[] off = {"hbase.terrace.dram.size", "8g", "hbase.terrace.ssd.size", "0"};

    assertThat(parse(off).dramSizeBytes()).isEqualTo(8L << 30);
    assertThat(UnknownKeys.warnings(conf(off))).isEmpty();
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

    assertThat(UnknownKeys.warnings(conf))
        .containsExactly(
            "hbase.terrace.dram.sizes=9g is no setting of Terrace; did you mean"
                + " hbase.terrace.dram.size?",
            "hbase.terrace.protected.share=0.1 is no setting of Terrace; did you mean"
                + " hbase.terrace.dram.protected.share?");
    assertThat(TerraceSettings.parse(conf, LIMIT_BYTES).dramSizeBytes()).isEqualTo(8L << 30);
  }
}
