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
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.terrace.hbase.Terrace;
import dev.terrace.hbase.checks.ServerProcess;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.region.format.DeviceKind;
import dev.terrace.region.format.SuperblockLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code doctor} finds in a region server's files. */
class DoctorCommandTest {

  private static final Pattern ERROR =
      Pattern.compile("^ERROR +(.*)\\n  why +.*\\n  do +(.*)$", Pattern.MULTILINE);

  @TempDir Path temporary;

  private final CommandRun command = new CommandRun();
  private ConfOnDisk files;

  @BeforeEach
  void make() throws Exception {
    files = new ConfOnDisk(temporary.resolve("hbase"));
    files.makeGood();
  }

  private int doctor(Object... options) {
    return command.run("doctor", "--conf=" + files.conf(), options);
  }

  /** The errors, each as a log would have it. */
  private List<String> errors() {
    return ERROR
        .matcher(command.out())
        .results()
        .map(match -> match.group(1) + ": " + match.group(2))
        .toList();
  }

  private void assertFindings(int exitValue, String... findings) {
    assertThat(doctor()).as(command.out()).isEqualTo(exitValue);
    assertThat(command.err()).isEmpty();
    assertThat(command.out().lines().filter(line -> line.matches("(ERROR|QUESTION|WARNING) .*")))
        .containsExactly(findings);
  }

  @Test
  void aGoodConfigurationHasFactsAndNoFindings() {
    assertFindings(0);
    assertThat(command.out().lines())
        .contains(
            "configuration  " + files.conf().resolve("hbase-site.xml"),
            "entry point    hbase.regionserver.impl",
            "HBase          2.6.4, in " + temporary.resolve("hbase"),
            "Java           17.0.12, in " + temporary.resolve("hbase/java-17.0.12"),
            "heap           4 GB (HBASE_HEAPSIZE in hbase-env.sh); bookkeeping of full tiers takes"
                + " about 55 MB",
            "direct memory  9 GB (HBASE_OFFHEAPSIZE in hbase-env.sh); the tiers take 8 GB",
            "dram           8 GB",
            "warming        regions that move, at up to 50 MB/s of HBase's store")
        .last()
        .isEqualTo("no errors, no warnings: the region server would start");
  }

  @Test
  void itTellsWhereRegionsThatMoveAreCold() throws IOException {
    files.set("hbase.terrace.warm.rate", "0");
    assertThat(doctor()).as(command.out()).isZero();
    assertThat(command.out()).contains("\nwarming        none: hbase.terrace.warm.rate=0, so ");

    files.set("hbase.regionserver.impl", "org.apache.hadoop.hbase.regionserver.HRegionServer");
    files.set("hbase.blockcache.external.class", "dev.terrace.hbase.TieredBlockCache");
    files.set("hbase.blockcache.use.external", "true");
    doctor();
    assertThat(command.out()).contains("\nwarming        none: as the external cache ");
  }

  private Path writableByAll() throws IOException {
    Path path = Files.createDirectory(temporary.resolve("open"));
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @Test
  void plantedMistakesAreFoundAllAtOnce() throws Exception {
    Path open = writableByAll();
    files.set("hbase.terrace.dram.size", "12g");
    files.set("hbase.terrace.dram.protected.share", "half");
    files.set("hbase.terrace.start.strict", "true");
    files.set("hbase.terrace.ssd.paths", open);
    files.set("hbase.terrace.ssd.size", "32m");
    files.set("hbase.terrace.pmem.paths", temporary.resolve("unmounted"));
    files.set("hbase.terrace.pmem.size", "32m");
    files.set("hbase.terrace.ssd.sizes", "1g");
    files.set("hbase.rs.evictblocksonclose", "true");

    assertThat(doctor()).isEqualTo(2);

    assertThat(errors())
        .hasSize(4)
        .anyMatch(error -> error.startsWith("hbase.terrace.dram.size=12g is more than the 9 GB"))
        .anyMatch(error -> error.startsWith("hbase.terrace.dram.protected.share=half is not a"))
        .anyMatch(error -> error.contains(open + " is writable by others"))
        .anyMatch(error -> error.contains("unmounted, which does not exist: mount its disk"));
    assertThat(command.out())
        .contains(
            "WARNING  hbase.terrace.ssd.sizes=1g is no setting of Terrace",
            "WARNING  hbase.rs.evictblocksonclose=true",
            "4 errors, ");
    assertThat(command.out()).endsWith(": the region server would not start\n");
  }

  @Test
  void anHBaseThatTakesCachesApartIsAnError() throws Exception {
    Files.delete(temporary.resolve("hbase/lib/hbase-server-2.6.4.jar"));
    Files.delete(temporary.resolve("hbase/lib/hbase-server-2.6.4-tests.jar"));
    files.jar("hbase-server-4.0.0-alpha-1.jar", ServerProcess.TAKES_CACHES_APART);

    assertThat(doctor()).isEqualTo(2);

    assertThat(errors())
        .containsExactly(
            "HBase 4.0.0-alpha-1 takes block caches apart (it has"
                + " org.apache.hadoop.hbase.io.hfile.cache.CacheAccessService): run one of HBase"
                + " 2.5, 2.6, 3.0");
    assertThat(command.out()).doesNotContain("is not tested");
  }

  /** What the server throws has the errors of doctor, word for word. */
  @Test
  void theServerItselfStopsWithTheSameMessages() throws Exception {
    Path absent = temporary.resolve("absent");
    files.set("hbase.terrace.dram.size", "much");
    files.set("hbase.terrace.scrub.days", "-1");
    files.set("hbase.terrace.start.strict", "true");
    files.set("hbase.terrace.pmem.paths", absent);
    files.set("hbase.terrace.pmem.size", "32m");
    files.set("hbase.terrace.ssd.paths", writableByAll());
    files.set("hbase.terrace.ssd.size", "32m");
    files.env("export HBASE_OFFHEAPSIZE=20g\n");
    Configuration conf = new Configuration(false);
    conf.addResource(files.conf().resolve("hbase-site.xml").toUri().toURL());

    SettingsException thrown =
        catchThrowableOfType(SettingsException.class, () -> Terrace.prepare(conf));

    assertThat(doctor()).isEqualTo(2);
    assertThat(errors()).hasSize(4);
    assertThat(thrown).hasMessage("4 settings are wrong:\n - " + String.join("\n - ", errors()));
  }

  @Test
  void memoryIsThatOfTheScriptAndNotOfThisProcess() throws Exception {
    files.env("export HBASE_OPTS=\"-Xmx4g -XX:MaxDirectMemorySize=8300m\"\n");
    assertThat(doctor()).isEqualTo(1);
    assertThat(command.out()).contains("and leave 108 MB to HBase");

    files.env("HBASE_OFFHEAPSIZE=8gb\n");
    assertThat(doctor()).isEqualTo(2);
    assertThat(command.out()).contains("ERROR    HBASE_OFFHEAPSIZE=8gb is not a size");
  }

  @Test
  void versionsAreThoseOfTheServer() throws Exception {
    files.terrace("0.0.9");
    assertFindings(
        1,
        "WARNING  "
            + temporary.resolve("hbase/lib")
            + " has Terrace in the versions 0.0.9 and 0.1.0");

    files.env("export JAVA_HOME=" + files.java("1.8.0_392") + "\nHBASE_OFFHEAPSIZE=10g\n");
    assertThat(doctor()).isEqualTo(2);
    assertThat(command.out()).contains("ERROR    Java 8 is too old");
  }

  @Test
  void hadoop2DoesNotStartOnNewJava() throws Exception {
    ConfOnDisk old = new ConfOnDisk(temporary.resolve("old"));
    old.jar("hbase-server-2.4.1.jar");
    old.jar("hadoop-common-2.10.2.jar");
    files.env("export JAVA_HOME=" + files.java("25") + "\nHBASE_OFFHEAPSIZE=10g\n");

    assertThat(doctor("--hbase", temporary.resolve("old"))).isEqualTo(2);
    assertThat(command.out())
        .contains(
            "ERROR    Java 25 with Hadoop 2.10.2",
            "WARNING  HBase 2.4.1 is not tested",
            "ERROR    hbase.regionserver.impl names dev.terrace.hbase.TerraceRegionServer, which is"
                + " in no");
  }

  @Test
  void withoutAnEntryPointTerraceIsNotUsed() throws Exception {
    files.set("hbase.regionserver.impl", "org.example.MyRegionServer");

    assertFindings(
        1,
        "QUESTION hbase.regionserver.impl names org.example.MyRegionServer, which is in no jar of "
            + temporary.resolve("hbase/lib"),
        "WARNING  no property makes Terrace the block cache");
    assertThat(command.out())
        .endsWith(
            "no errors, 1 question, 1 warning: the region server would start, if the answers are"
                + " right\n");
  }

  @Test
  void aPathSaysWhatItIsOn() throws Exception {
    CacheOnDisk cache = new CacheOnDisk(temporary.resolve("ssd"));
    cache.make(DeviceKind.SSD);
    files.set("hbase.terrace.ssd.paths", cache.path());
    files.set("hbase.terrace.ssd.size", "16m");

    assertThat(doctor()).isLessThanOrEqualTo(1);

    assertThat(command.out()).containsPattern("(?m)^  " + cache.path() + " *\\S+ on .* free$");
    assertThat(command.run("verify", cache.path())).as("nothing was changed").isZero();
  }

  @Test
  void whatCannotBeReadIsOneLine() throws Exception {
    Path none = temporary.resolve("none");
    assertThat(command.run("doctor", "--conf=" + none)).isEqualTo(2);
    assertThat(command.out()).isEmpty();
    assertThat(command.err()).isEqualTo("terrace doctor: " + none + " does not exist\n");

    Path hidden = Files.createFile(temporary.resolve("file")).resolve("conf");
    assertThat(command.run("doctor", "--conf=" + hidden)).isEqualTo(2);
    assertThat(command.err()).startsWith("terrace doctor: " + hidden + " cannot be looked at: ");

    assertThat(command.run("doctor", "--conf=" + temporary)).isEqualTo(2);
    assertThat(command.err())
        .isEqualTo("terrace doctor: " + temporary + " has no hbase-site.xml\n");

    assertThat(doctor("--hbase", none)).isEqualTo(2);
    assertThat(command.err()).contains(none + " has no lib/hbase-server-VERSION.jar");

    Files.writeString(files.conf().resolve("hbase-site.xml"), "<configuration>");
    assertThat(doctor()).isEqualTo(2);
    assertThat(command.err()).contains("hbase-site.xml is not XML").hasLineCount(1);
  }

  @Test
  void whatIsIncludedIsNamed() throws Exception {
    Files.writeString(
        files.conf().resolve("core-site.xml"),
        "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
            + "<xi:include href=\"more.xml\"/></configuration>");

    assertFindings(1, "QUESTION the configuration includes more.xml");
  }

  /** A configuration that a region server starts with. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "${hbase.tmp.dir}/ssd",
        "${hbase.home.dir}/ssd",
        "${hbase.log.dir}/ssd",
        "${env.TERRACE_TEST}/ssd"
      })
  void variablesAreThoseOfTheServer(String path) throws Exception {
    Path place = temporary.resolve("hbase");
    Files.createDirectory(place.resolve("ssd"));
    files.jarOf(
        "hbase-common-2.6.4.jar",
        "hbase-default.xml",
        "<configuration><property><name>hbase.tmp.dir</name><value>${my.tmp}/</value></property>"
            + "</configuration>");
    files.env(
        "export JAVA_HOME="
            + files.java("17.0.12")
            + "\nexport HBASE_OFFHEAPSIZE=10g\nexport TERRACE_TEST="
            + place
            + "\nexport HBASE_OPTS=\"-Dmy.tmp="
            + place
            + " -Dhbase.home.dir=/nowhere\"\nexport HBASE_LOG_DIR="
            + place
            + "\n");
    files.set("hbase.terrace.ssd.paths", path);
    files.set("hbase.terrace.ssd.size", "16m");

    assertThat(doctor()).as(command.out()).isLessThanOrEqualTo(1);
    assertThat(command.out())
        .contains("  " + place.resolve("ssd"))
        .endsWith(": the region server would start\n");
  }

  @Test
  void withoutHBasesFolderMuchIsAQuestion() throws Exception {
    ConfOnDisk lonely = new ConfOnDisk(temporary.resolve("lonely"));
    lonely.set("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    lonely.set("hbase.terrace.ssd.paths", "${hbase.tmp.dir}/ssd");
    lonely.set("hbase.terrace.ssd.size", "16m");
    lonely.env("export JAVA_HOME=" + files.java("17.0.12") + "\n");

    assertThat(command.run("doctor", "--conf=" + lonely.conf())).as(command.out()).isEqualTo(1);
    assertThat(command.out())
        .contains("QUESTION HBase's folder is not found")
        .contains("QUESTION hbase.terrace.ssd.paths=${hbase.tmp.dir}/ssd has")
        .contains("no errors, 2 questions, no warnings");
  }

  @Test
  void aClassThatIsMistypedIsAnError() throws Exception {
    files.set("hbase.regionserver.impl", "dev.terrace.hbase.TeraceRegionServer");
    files.set("hbase.coprocessor.regionserver.classes", "dev.terrace.TerraceCoprocessor|5");

    assertThat(doctor()).isEqualTo(2);
    assertThat(errors())
        .containsExactlyInAnyOrder(
            "hbase.regionserver.impl names dev.terrace.hbase.TeraceRegionServer, which is in no"
                + " jar of "
                + temporary.resolve("hbase/lib")
                + ": write dev.terrace.hbase.TerraceRegionServer",
            "hbase.coprocessor.regionserver.classes names dev.terrace.TerraceCoprocessor, which is"
                + " in no jar of "
                + temporary.resolve("hbase/lib")
                + ": write dev.terrace.hbase.TerraceCoprocessor");
  }

  @Test
  void withoutTheJarTheServerDoesNotStart() throws Exception {
    Path jar = temporary.resolve("hbase/lib/terrace-hbase-0.1.0.jar");
    Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    Files.move(jar, elsewhere.resolve(jar.getFileName()));

    assertThat(doctor()).isEqualTo(2);
    assertThat(errors()).singleElement().asString().contains("copy terrace-hbase-VERSION.jar");

    String env = "export JAVA_HOME=" + files.java("17.0.12") + "\nexport HBASE_OFFHEAPSIZE=9g\n";
    files.env(env + "export HBASE_CLASSPATH=/nowhere:" + elsewhere + "/*\n");
    assertFindings(0);

    files.env(env + "export HBASE_CLASSPATH=" + elsewhere.resolve(jar.getFileName()) + "\n");
    assertFindings(0);
  }

  @Test
  void anotherServersPathIsAQuestionThatNamesIt() throws Exception {
    CacheOnDisk cache = new CacheOnDisk(temporary.resolve("ssd"));
    cache.make(DeviceKind.SSD);
    files.set("hbase.terrace.ssd.paths", cache.path());
    files.set("hbase.terrace.ssd.size", "16m");
    // As bin/hbase starts a server, and as the lock file of a running one has it.
    ProcessBuilder server = new ProcessBuilder("sleep", "1000");
    server.environment().put("CLASSPATH", temporary + ":/no/such.jar");
    Process other = server.start();
    try {
      Path lock = cache.file("lock");
      Files.writeString(
          lock,
          "pid=%d started=%d file=%s%n"
              .formatted(
                  other.pid(),
                  other.info().startInstant().orElseThrow().toEpochMilli(),
                  Files.readAttributes(lock, BasicFileAttributes.class).fileKey()));

      assertThat(doctor()).isEqualTo(1);
      assertThat(command.out())
          .contains("QUESTION " + cache.path() + " is in use by 1000, pid=" + other.pid())
          .contains("stop it before the start if it is the one to be restarted");

      files = new ConfOnDisk(temporary.resolve("second"));
      files.makeGood();
      files.set("hbase.terrace.ssd.paths", cache.path());
      files.set("hbase.terrace.ssd.size", "16m");
      Files.move(files.conf().resolve("hbase-site.xml"), temporary.resolve("hbase-site.xml"));
      Files.move(files.conf().resolve("hbase-env.sh"), temporary.resolve("hbase-env.sh"));
      command.run("doctor", "--conf=" + temporary, "--hbase=" + temporary.resolve("second"));
      assertThat(command.out())
          .as("the one to be restarted has this configuration")
          .contains(", in use by 1000, pid=" + other.pid() + ", which must end before the start")
          .doesNotContain("QUESTION");
    } finally {
      other.destroyForcibly();
    }
  }

  /** A path of the SSD tier whose superblock is of another version. */
  private CacheOnDisk ofVersion(int version) throws Exception {
    CacheOnDisk cache = new CacheOnDisk(temporary.resolve("ssd"));
    cache.make(DeviceKind.SSD);
    files.set("hbase.terrace.ssd.paths", cache.path());
    files.set("hbase.terrace.ssd.size", "2m");
    Path superblock = cache.file("superblock");
    byte[] bytes = Files.readAllBytes(superblock);
    for (int copy : new int[] {SuperblockLayout.FIRST_COPY, SuperblockLayout.SECOND_COPY}) {
      ByteBuffer.wrap(bytes)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(copy + SuperblockLayout.VERSION, version);
    }
    Files.write(superblock, bytes);
    return cache;
  }

  @Test
  void blocksThatTheStartDiscardsAreNamed() throws Exception {
    CacheOnDisk cache = ofVersion(1);
    byte[] superblock = Files.readAllBytes(cache.file("superblock"));

    doctor();

    assertThat(command.out())
        .contains("WARNING  " + cache.path() + " is started empty: it is of format version 1");
    assertThat(cache.file("superblock")).hasBinaryContent(superblock);
  }

  @Test
  void aPathOfANewerVersionIsKept() throws Exception {
    CacheOnDisk cache = ofVersion(99);
    byte[] superblock = Files.readAllBytes(cache.file("superblock"));

    doctor();

    assertThat(command.out())
        .contains(
            "OUT      hbase.terrace.ssd.paths cannot be used: path="
                + cache.path().resolve("terrace")
                + " was written by a newer Terrace (format version 99, and this one reads 2)")
        .doesNotContain("is started empty");
    assertThat(cache.file("superblock")).hasBinaryContent(superblock);
  }

  @Test
  void slipsOfThePenAreNamed() throws Exception {
    files.set("hbase.terace.ssd.size", "1g");
    files.set("hbase.terrace.foo", "1");
    files.set("hbase.trace.level", "1");
    files.set("hbase.terrace.ssd.size", "0");
    files.set("hbase.terrace.ssd.paths", "/mnt/ssd");
    files.set("hbase.terrace.dram.size", "512");
    files.write(
        "<property><name>hbase.other</name><value>1</value></property>"
            + "<property><name>hbase.other</name><value>2</value></property>");

    assertThat(doctor()).isEqualTo(2);
    assertThat(errors())
        .containsExactly(
            "hbase.terrace.dram.size=512 is too small: did you mean 512g? the minimum is 1 MB");
    assertThat(command.out())
        .contains("WARNING  hbase.terace.ssd.size=1g is no setting of Terrace")
        .contains("did you mean hbase.terrace.ssd.size?")
        .contains("WARNING  hbase.terrace.foo=1 is no setting of Terrace")
        .doesNotContain("whatif", "hbase.trace.level")
        .contains("WARNING  hbase.terrace.ssd.size=0 beside hbase.terrace.ssd.paths")
        .contains("WARNING  hbase.other has two values in one file");
  }
}
