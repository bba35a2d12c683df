// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.TerraceCoprocessor;
import dev.terrace.hbase.TerraceRegionServer;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.preflight.ServerProcess;
import dev.terrace.hbase.preflight.StartChecks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each sample of hbase-site.xml is one that a region server starts with. */
class SamplesTest {

  private static final Path SAMPLES = Path.of("..", "docs", "samples");
  private static final Pattern DIRECT_MEMORY =
      Pattern.compile("export HBASE_OFFHEAPSIZE=(\\d+)g -->");

  /** What each sample leaves of the JVM's direct memory to HBase. */
  private static final long LEFT_TO_HBASE_BYTES = 1L << 30;

  private static final Map<String, String> REGION_SERVER_CLASS =
      Map.of(HConstants.REGION_SERVER_IMPL, TerraceRegionServer.class.getName());

  /** By the name of the sample, what lets Terrace into HBase; by default a region server class. */
  private static final Map<String, Map<String, String>> WAYS_IN =
      Map.of(
          "coprocessor.xml",
          Map.of(
              CoprocessorHost.REGIONSERVER_COPROCESSOR_CONF_KEY,
              TerraceCoprocessor.class.getName()),
          "external.xml",
          Map.of(
              "hbase.blockcache.use.external",
              "true",
              "hbase.blockcache.external.class",
              TieredBlockCache.class.getName(),
              BlockCacheFactory.BLOCKCACHE_POLICY_KEY,
              "IndexOnlyLRU"),
          "embedded.xml",
          Map.of());

  static Stream<String> samples() throws IOException {
    try (Stream<Path> files = Files.list(SAMPLES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".xml"))
          .toList()
          .stream();
    }
  }

  private static Configuration site(String sample) throws IOException {
    Configuration conf = new Configuration(false);
    conf.addResource(SAMPLES.resolve(sample).toUri().toURL());
    return conf;
  }

  @ParameterizedTest
  @MethodSource("samples")
  void startsWithTheDirectMemoryThatItNames(String sample) throws IOException {
    Matcher memory = DIRECT_MEMORY.matcher(Files.readString(SAMPLES.resolve(sample)));
    assertThat(memory.find()).isTrue();
    long limitBytes = (Long.parseLong(memory.group(1)) << 30) - LEFT_TO_HBASE_BYTES;

    TerraceSettings settings = ReadSettings.of(new SiteValues(site(sample)), limitBytes);

    assertThat(settings.dramSizeBytes()).isPositive();
    boolean isEntryPoint = WAYS_IN.containsKey(sample);
    assertThat(settings.pmem().isConfigured()).isEqualTo(sample.matches(".*(pmem|shm).*"));
    assertThat(settings.ssd().isConfigured()).isEqualTo(isEntryPoint || sample.contains("ssd"));
    assertThat(settings.get(TerraceSettings.CREATE_PATHS)).isEqualTo(sample.contains("shm"));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void hasOnlyKeysThatHBaseAndTerraceRead(String sample) throws IOException {
    Configuration site = site(sample);
    Map<String, String> others = new TreeMap<>();
    for (Map.Entry<String, String> property : site) {
      if (!property.getKey().startsWith(TerraceSettings.PREFIX)) {
        others.put(property.getKey(), property.getValue());
      }
    }
    assertThat(others).isEqualTo(WAYS_IN.getOrDefault(sample, REGION_SERVER_CLASS));
    assertThat(SettingsReader.unknownKeys(new SiteValues(site))).isEmpty();
  }

  /** With a tenth to spare: heap, direct memory, and PMem where it lies on a tmpfs. */
  @Test
  void aPodHasTheMemoryThatItsServerTakes() throws IOException {
    String pod = Files.readString(SAMPLES.resolve("pod.yaml"));
    Configuration conf = new Configuration(false);
    String site = found("(?s)<configuration>.*</configuration>", pod, 0);
    // What an emptyDir of medium Memory is.
    conf.addResource(
        new ByteArrayInputStream(
            site.replace("/terrace/memory/hbase", "/dev/shm/hbase-of-a-sample")
                .getBytes(StandardCharsets.UTF_8)));
    assertFits(
        gigabytes("limits:\\s+memory: (\\d+)Gi", pod),
        gigabytes("HBASE_HEAPSIZE=(\\d+)g", pod),
        gigabytes("HBASE_OFFHEAPSIZE=(\\d+)g", pod),
        conf);
  }

  @Test
  void aUnitHasTheMemoryThatItsServerTakes() throws IOException {
    String unit = Files.readString(SAMPLES.resolve("hbase-regionserver.service"));
    assertFits(
        gigabytes("MemoryMax=(\\d+)G", unit),
        gigabytes("HBASE_HEAPSIZE=(\\d+)g", unit),
        gigabytes("HBASE_OFFHEAPSIZE=(\\d+)g", unit),
        site("dram-pmem-ssd.xml"));
  }

  /** A unit that requires mounts stops with one of them; a mount of its own keeps the disk busy. */
  @Test
  void aUnitNeitherRequiresNorHoldsItsDisks() throws IOException {
    String unit = Files.readString(SAMPLES.resolve("hbase-regionserver.service"));
    assertThat(unit).doesNotContainPattern("(?m)^(RequiresMountsFor|Requires|BindsTo)=");
    Configuration site = site("dram-pmem-ssd.xml");
    String paths = site.get("hbase.terrace.pmem.paths") + "," + site.get("hbase.terrace.ssd.paths");
    for (String path : paths.split(",", -1)) {
      Path point = Path.of(path).getParent();
      String mount = point.toString().substring(1).replace('/', '-') + ".mount";
      assertThat(words("Wants", unit)).contains(mount);
      assertThat(words("After", unit)).contains(mount);
      assertThat(words("ReadWritePaths", unit))
          .contains(point.getParent().toString())
          .doesNotContain(path, point.toString());
    }
  }

  private static List<String> words(String key, String unit) {
    return List.of(found("(?m)^" + key + "=(.*)", unit, 1).split(" ", -1));
  }

  private static void assertFits(
      long memoryBytes, long heapBytes, long directBytes, Configuration conf) {
    StartChecks checks =
        new StartChecks(
            new SiteValues(conf),
            new ServerProcess(
                heapBytes,
                directBytes,
                ServerProcess.nativeBytes(heapBytes, flag -> ""),
                memoryBytes,
                "2.6.4"));
    String sum = checks.memory().toString();
    assertThat(sum).contains("heap ", "dram ");
    assertThat(checks.errors()).noneMatch(error -> error.what().contains(sum));
    assertThat(checks.warnings()).noneMatch(warning -> warning.what().contains(sum));
  }

  /**
   * Not a server that would not start or would be killed, nor a doctor that failed; a path that is
   * out passes on a machine, whose disk costs its own blocks, and not in a pod.
   */
  @ParameterizedTest
  @CsvSource({"pod.yaml, 0 5 6", "hbase-regionserver.service, 0 4 5 6"})
  void theGatePasses(String sample, String passing) throws Exception {
    String gate =
        found(
            "(/opt/terrace/bin/terrace|java -jar \\S+) doctor --conf \\S+( .*?esac)",
            Files.readString(SAMPLES.resolve(sample)),
            2);
    for (int value : new int[] {0, 1, 2, 3, 4, 5, 6, 127, 137}) {
      int passed = new ProcessBuilder("sh", "-c", "(exit " + value + ")" + gate).start().waitFor();
      assertThat(passed == 0)
          .as("exit value %d", value)
          .isEqualTo(List.of(passing.split(" ")).contains(Integer.toString(value)));
    }
  }

  private static String found(String pattern, String text, int group) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).isTrue();
    return matcher.group(group);
  }

  private static long gigabytes(String pattern, String text) {
    return Long.parseLong(found(pattern, text, 1)) << 30;
  }

  @Test
  void areAllInTheirList() throws IOException {
    String list = Files.readString(SAMPLES.resolve("README.md"));
    assertThat(samples())
        .hasSize(9)
        .allMatch(sample -> list.contains("[" + sample + "](" + sample + ")"));
    assertThat(list).contains("(pod.yaml)", "(hbase-regionserver.service)");
  }
}
