// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.hbase.Terrace;
import dev.terrace.hbase.preflight.ServerProcess;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Findings;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.region.device.LibC;
import dev.terrace.region.folder.SmallDisk;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.Superblock.DeviceKind;
import dev.terrace.tools.CacheOnDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code doctor} finds in a region server's files. */
class DoctorTest {

  private static final Pattern ERROR =
      Pattern.compile("^ERROR +(.*)\\n  why +.*\\n  do +(.*)$", Pattern.MULTILINE);

  @TempDir Path temporary;

  private ConfOnDisk files;
  private ServerJvm jvm = jvm(4L << 30, 9L << 30, 0);
  private String printed;

  @BeforeEach
  void make() throws Exception {
    files = new ConfOnDisk(temporary.resolve("hbase"));
    files.makeGood();
  }

  private static ServerJvm jvm(long heapBytes, long directBytes, long nativeBytes) {
    return new ServerJvm(
        new ServerProcess(
            heapBytes, directBytes, nativeBytes, ServerProcess.machineBytes(), "2.6.4"),
        true,
        new Findings());
  }

  /** Examines the files as a process of HBase does that has them on its class path. */
  private int doctor() throws IOException {
    Path lib = temporary.resolve("hbase/lib");
    return doctor(lib.resolve("terrace-hbase-0.1.0.jar") + ":" + lib + "/terrace-hbase-0.0.9.jar");
  }

  private int doctor(String classPath) throws IOException {
    StringWriter out = new StringWriter();
    try (ServerClasses classes = new ServerClasses(classPath, List.of())) {
      return Doctor.examine(
          () -> ConfigurationFirst.of(files.conf()),
          files.conf(),
          jvm,
          classes,
          new PrintWriter(out, true));
    } finally {
      printed = out.toString();
    }
  }

  /** The errors, each as a log would have it. */
  private List<String> errors() {
    return ERROR
        .matcher(printed)
        .results()
        .map(match -> match.group(1) + ": " + match.group(2))
        .toList();
  }

  private void assertFindings(int exitValue, String... findings) throws IOException {
    assertThat(doctor()).as(printed).isEqualTo(exitValue);
    assertThat(printed.lines().filter(line -> line.matches("(ERROR|QUESTION|WARNING) .*")))
        .containsExactly(findings);
  }

  @Test
  void aGoodConfigurationHasFactsAndNoFindings() throws IOException {
    assertFindings(0);
    assertThat(printed.lines())
        .contains(
            "configuration  " + files.conf().resolve("hbase-site.xml"),
            "entry point    hbase.regionserver.impl",
            "heap           4 GB; bookkeeping of full tiers takes about 55 MB",
            "direct memory  9 GB; the tiers take 8 GB",
            "dram           8 GB",
            "warming        regions that move, at up to 50 MB/s of HBase's store")
        .last()
        .isEqualTo("no errors, no warnings: the region server would start");
  }

  @Test
  void itTellsWhereRegionsThatMoveAreCold() throws IOException {
    files.set("hbase.terrace.warm.rate", "0");
    assertThat(doctor()).as(printed).isZero();
    assertThat(printed).contains("\nwarming        none: hbase.terrace.warm.rate=0, so ");

    files.set("hbase.regionserver.impl", "");
    files.set("hbase.blockcache.external.class", "dev.terrace.hbase.TieredBlockCache");
    files.set("hbase.blockcache.use.external", "true");
    doctor();
    assertThat(printed).contains("\nwarming        none: as the external cache");
  }

  /** Then no code of Terrace's runs in the server that could warn. */
  @Test
  void anExternalCacheThatHBaseDoesNotMakeIsNamed() throws IOException {
    String what = "WARNING  hbase.blockcache.external.class names Terrace, but ";
    files.set("hbase.regionserver.impl", "");
    files.set("hbase.blockcache.external.class", "dev.terrace.hbase.TieredBlockCache");
    assertFindings(6, what + "hbase.blockcache.use.external is not true");

    files.set("hbase.blockcache.use.external", "true");
    files.set("hfile.block.cache.size", "0");
    assertFindings(6, what + "hfile.block.cache.size is 0");
  }

  @Test
  void theBalancerTakesNoCacheForOneThatSurvives() throws IOException {
    String balancer = "org.apache.hadoop.hbase.master.balancer.CacheAwareLoadBalancer";
    files.set("hbase.master.loadbalancer.class", balancer);
    assertFindings(
        6,
        "WARNING  hbase.master.loadbalancer.class="
            + balancer
            + " without hbase.bucketcache.persistent.path");

    files.set("hbase.bucketcache.persistent.path", "/any");
    assertFindings(0);
  }

  /** A path with a file where the folder belongs. */
  private Path brokenPath() throws IOException {
    Path path = Files.createDirectory(temporary.resolve("broken"));
    Files.createFile(path.resolve("terrace"));
    return path;
  }

  @Test
  void plantedMistakesAreFoundAllAtOnce() throws Exception {
    Path broken = brokenPath();
    files.set("hbase.terrace.dram.size", "12g");
    files.set("hbase.terrace.dram.protected.share", "half");
    files.set("hbase.terrace.ssd.paths", broken);
    files.set("hbase.terrace.ssd.size", "32m");
    files.set("hbase.terrace.pmem.paths", temporary.resolve("unmounted"));
    files.set("hbase.terrace.pmem.size", "32m");
    files.set("hbase.terrace.ssd.sizes", "1g");
    files.set("hbase.rs.evictblocksonclose", "true");

    assertThat(doctor()).isEqualTo(2);

    assertThat(errors())
        .hasSize(3)
        .anyMatch(error -> error.startsWith("too little direct memory: the tiers take 12.0 GB"))
        .anyMatch(error -> error.startsWith("hbase.terrace.dram.protected.share=half is not a"))
        .anyMatch(error -> error.contains("unmounted, which does not exist: mount its disk"));
    assertThat(printed)
        .contains(
            "WARNING  hbase.terrace.ssd.sizes=1g is not a setting of Terrace",
            "WARNING  hbase.rs.evictblocksonclose=true",
            broken + "/terrace is not a directory",
            "3 errors, ");
    assertThat(printed).endsWith(": the region server would not start\n");
  }

  /** What the server throws has the errors of doctor, word for word. */
  @Test
  void theServerItselfStopsWithTheSameMessages() throws Exception {
    Path absent = temporary.resolve("absent");
    files.set("hbase.terrace.dram.size", "much");
    files.set("hbase.terrace.ssd.write.limit", "-1");
    files.set("hbase.terrace.pmem.paths", absent);
    files.set("hbase.terrace.pmem.size", "32m");
    files.set("hbase.terrace.ssd.paths", temporary.resolve("absent, too"));
    files.set("hbase.terrace.ssd.size", "32m");
    Configuration conf = new Configuration(false);
    conf.addResource(files.conf().resolve("hbase-site.xml").toUri().toURL());

    SettingsException thrown =
        catchThrowableOfType(SettingsException.class, () -> Terrace.prepare(conf));

    assertThat(doctor()).isEqualTo(2);
    assertThat(errors()).hasSize(4);
    assertThat(thrown).hasMessage("4 settings are wrong:\n - " + String.join("\n - ", errors()));
  }

  @Test
  void memoryIsThatOfTheServerAndNotOfThisProcess() throws Exception {
    jvm = jvm(4L << 30, 8_300L << 20, 0);
    assertThat(doctor()).isEqualTo(6);
    assertThat(printed).contains("leaves 108 MB for HBase");
  }

  /** The tiers, HBase and the heap fit: what the JVM takes beside them does not. */
  @Test
  void aServerThatWouldBeKilledIsNoWarning() throws Exception {
    long heapBytes = ServerProcess.machineBytes() - (8L << 30) - (283L << 20);
    jvm = jvm(heapBytes, 9L << 30, 0);
    assertThat(doctor()).as(printed).isEqualTo(6);
    assertThat(printed).contains("WARNING  little memory is left: heap ");

    jvm = jvm(heapBytes, 9L << 30, 300L << 20);
    assertThat(doctor()).as(printed).isEqualTo(3);
    assertThat(printed)
        .contains("KILLED   not enough memory: heap ", " + JVM 300 MB + dram 8,192 MB")
        .endsWith(
            "no errors, no warnings: the region server would start, and be killed once it takes its"
                + " memory\n");
  }

  @Test
  void theExitValueIsThatOfTheWorstFinding() throws Exception {
    files.set("hbase.terrace.no.such", "1");
    assertThat(doctor()).as("a warning").isEqualTo(6);

    files.set("hbase.terrace.encryption", "all");
    files.set("hbase.crypto.keyprovider", "org.example.KeyProvider");
    files.set("hbase.terrace.ssd.paths", Files.createDirectory(temporary.resolve("ssd")));
    files.set("hbase.terrace.ssd.size", "2m");
    assertThat(doctor()).as("a question").isEqualTo(5);

    files.set("hbase.terrace.ssd.paths", brokenPath());
    assertThat(doctor()).as("a path is out").isEqualTo(4);

    jvm = jvm(1L << 30, 9L << 30, 1L << 60);
    assertThat(doctor()).as("more than the machine has").isEqualTo(3);

    files.set("hbase.terrace.dram.size", "much");
    assertThat(doctor()).as("a wrong setting").isEqualTo(2);
  }

  @Test
  void aJvmThatDoesNotStartIsAnError() throws Exception {
    jvm = jvm(Long.MAX_VALUE, Long.MAX_VALUE, 0);
    jvm.refusal().error("jvm-options", "no such option");
    assertThat(doctor()).isEqualTo(2);
    assertThat(errors()).singleElement().asString().contains("no such option");
    assertThat(printed).contains("heap           unknown;", "direct memory  unknown;");
  }

  @Test
  void aLaterJavaWithoutNativeAccessIsNamedWithTheOption() throws Exception {
    List<String> options = List.of("--enable-native-access=ALL-UNNAMED");
    assertThat(ServerJvm.of(Map.of(), List.of()).nativeAccess()).isFalse();
    assertThat(ServerJvm.of(Map.of(), options).nativeAccess()).isTrue();
    assertThat(
            ServerJvm.of(Map.of("HBASE_REGIONSERVER_OPTS", options.get(0)), List.of())
                .nativeAccess())
        .isTrue();
    Findings findings = new Findings();
    Doctor.warnOfNativeAccess(23, findings);
    assertThat(findings).isEmpty();
    Doctor.warnOfNativeAccess(24, findings);
    assertThat(findings)
        .singleElement()
        .extracting(Finding::remedy)
        .asString()
        .contains(options.get(0), "hbase-env.sh");
  }

  @Test
  void twoJarsOfTerraceAreNamed() throws Exception {
    files.terrace("0.0.9");
    Path lib = temporary.resolve("hbase/lib");
    assertFindings(
        6,
        "WARNING  Terrace is on the class path more than once: "
            + lib.resolve("terrace-hbase-0.1.0.jar")
            + " and "
            + lib.resolve("terrace-hbase-0.0.9.jar"));
  }

  @Test
  void aShareOfADiskIsWorkedOut() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), 635L << 20)) {
      files.set("hbase.terrace.ssd.paths", disk.directory());
      files.set("hbase.terrace.ssd.size", "50%");
      doctor();
      assertThat(printed).contains("ssd            288 MB = 50% (288m), ");
      files.set("hbase.terrace.ssd.size", "120%");
      assertThat(doctor()).as(printed).isEqualTo(2);
      assertThat(errors())
          .anyMatch(error -> error.startsWith("hbase.terrace.ssd.size=120% is not"));
    }
  }

  /** Files on a disk have no DAX, though the option dax=inode allows it. */
  @Test
  void whetherAPathHasDaxIsTried() throws Exception {
    Path mount = Files.createDirectory(temporary.resolve("mount"));
    Path image = temporary.resolve("image");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(96L << 20);
    }
    assumeTrue(
        runs("mkfs.ext4", "-q", "-F", image) && runs("mount", "-o", "loop,dax=inode", image, mount),
        "a disk is mounted, which needs root");
    try {
      files.set("hbase.terrace.pmem.paths", Files.createDirectory(mount.resolve("hbase")));
      files.set("hbase.terrace.pmem.size", "32m");
      assertThat(doctor()).as(printed).isEqualTo(6);
      assertThat(printed).contains("is on ext4 without DAX").doesNotContain(" with DAX");
      assertThat(mount.resolve("hbase")).isEmptyDirectory();
    } finally {
      assertThat(runs("umount", mount)).isTrue();
    }
  }

  private static boolean runs(Object... command) throws IOException, InterruptedException {
    List<String> words = Stream.of(command).map(Object::toString).toList();
    return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor() == 0;
  }

  @Test
  void aUserWithoutANameIsAnError() throws IOException {
    Findings findings = new Findings();
    Doctor.checkUser("hbase", findings);
    assertThat(findings).isEmpty();
    Doctor.checkUser(null, findings);
    assertThat(findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.isError()).isTrue();
              assertThat(finding.what())
                  .isEqualTo(
                      "the user id %s has no name", Files.getAttribute(temporary, "unix:uid"));
            });
  }

  @Test
  void withoutAnEntryPointTerraceIsNotUsed() throws Exception {
    files.set("hbase.regionserver.impl", "org.example.MyRegionServer");

    files.jar("terrace-hbase-0.0.9.jar", "org.example.MyRegionServer");

    assertFindings(6, "WARNING  no property makes Terrace the block cache");
    assertThat(printed).endsWith("no errors, 1 warning: the region server would start\n");
  }

  @Test
  void aPathSaysWhatItIsOn() throws Exception {
    CacheOnDisk cache = new CacheOnDisk(temporary.resolve("ssd"));
    cache.make(DeviceKind.SSD);
    files.set("hbase.terrace.ssd.paths", cache.path());
    files.set("hbase.terrace.ssd.size", "16m");

    assertThat(doctor()).as(printed).isIn(0, 6);

    assertThat(printed).containsPattern("(?m)^  " + cache.path() + " *\\S+ on .* free$");
  }

  @Test
  void whatCannotBeReadIsOneLine() throws Exception {
    Files.writeString(files.conf().resolve("hbase-site.xml"), "<configuration>");
    assertThat(doctor()).isEqualTo(2);
    assertThat(printed).startsWith("the configuration in " + files.conf()).hasLineCount(1);

    files.set("hbase.terrace.dram.size", "${hbase.terrace.dram.size}");
    assertThat(doctor()).isEqualTo(2);
    assertThat(printed).startsWith("the configuration in " + files.conf()).hasLineCount(1);
  }

  @Test
  void aClassThatIsMistypedIsAnError() throws Exception {
    files.set("hbase.regionserver.impl", "dev.terrace.hbase.TeraceRegionServer");
    files.set("hbase.coprocessor.regionserver.classes", "dev.terrace.TerraceCoprocessor|5");

    assertThat(doctor()).isEqualTo(2);
    assertThat(errors())
        .containsExactlyInAnyOrder(
            "hbase.regionserver.impl names dev.terrace.hbase.TeraceRegionServer, which is not on"
                + " HBase's class path: write dev.terrace.hbase.TerraceRegionServer",
            "hbase.coprocessor.regionserver.classes names dev.terrace.TerraceCoprocessor, which is"
                + " not on HBase's class path: write dev.terrace.hbase.TerraceCoprocessor");
  }

  @Test
  void aJarThatIsCutIsNamed() throws Exception {
    Path jar = temporary.resolve("hbase/lib/terrace-hbase-0.1.0.jar");
    byte[] bytes = Files.readAllBytes(jar);
    Files.write(jar, Arrays.copyOf(bytes, bytes.length / 2));
    assertThat(doctor()).isEqualTo(2);
    assertThat(errors())
        .singleElement()
        .asString()
        .contains(jar.toString())
        .doesNotContain("copy terrace-hbase-VERSION.jar");
    assertThat(printed).contains("WARNING  a jar on HBase's class path cannot be read: " + jar);
  }

  @Test
  void withoutTheJarTheServerDoesNotStart() throws Exception {
    assertThat(doctor(temporary.toString())).isEqualTo(2);
    assertThat(errors()).singleElement().asString().contains("copy terrace-hbase-VERSION.jar");
  }

  /** A process that holds a path, as a region server does. */
  static final class Server {
    public static void main(String[] arguments) throws IOException {
      System.out.write('!');
      System.out.flush();
      System.in.read();
    }
  }

  /** Starts a process with the command line of HBase 2.6's bin/hbase, in the folder of HBase. */
  private Process server(String classPath) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-Dproc_regionserver",
            "-XX:OnOutOfMemoryError=kill -9 %p",
            "-Xmx32m",
            "--add-modules",
            "jdk.unsupported",
            "--add-opens",
            "java.base/java.nio=ALL-UNNAMED",
            "-Dhbase.home.dir=" + temporary.resolve("hbase"),
            Server.class.getName(),
            "start");
    builder
        .directory(temporary.resolve("hbase").toFile())
        .environment()
        .put("CLASSPATH", classPath + ":" + System.getProperty("java.class.path"));
    Process process = builder.start();
    assertThat(process.getInputStream().read()).isEqualTo('!');
    return process;
  }

  /** A path of the SSD tier that a process has open. */
  private Path inUse(Process process) throws Exception {
    CacheOnDisk cache = new CacheOnDisk(temporary.resolve("ssd"));
    if (Files.notExists(cache.path())) {
      cache.make(DeviceKind.SSD);
      files.set("hbase.terrace.ssd.paths", cache.path());
      files.set("hbase.terrace.ssd.size", "16m");
    }
    Path lock = cache.file("lock");
    Files.writeString(lock, holder(process, lock));
    return cache.path();
  }

  private void doctorWhileLocked(Path path) throws IOException {
    LibC libC = LibC.load().orElseThrow();
    int descriptor = libC.open(path.resolve("terrace/lock").toString(), LibC.O_RDWR);
    try {
      assertThat(libC.tryLock(descriptor, true)).isTrue();
      doctor();
    } finally {
      libC.close(descriptor);
    }
  }

  @Test
  void anotherServersPathIsAQuestionThatNamesIt() throws Exception {
    Path other = Files.createDirectory(temporary.resolve("other"));
    Files.createFile(other.resolve("hbase-site.xml"));
    // The configuration of an own process of this server is not the one that it reads.
    Process server = server("/no/such.jar:" + other + ":" + files.conf());
    try {
      Path path = inUse(server);
      doctor();
      assertThat(printed).as("its lock is gone").doesNotContain("is in use by");

      doctorWhileLocked(path);
      assertThat(printed)
          .contains(
              "QUESTION %s is in use by %s start, pid=%d\n"
                  .formatted(path, Server.class.getName(), server.pid()))
          .contains("if it is the server to be restarted, stop it first");
    } finally {
      server.destroyForcibly();
    }
  }

  /** A prefix of the class path may come before the configuration, whose name may be relative. */
  @ParameterizedTest
  @ValueSource(strings = {"conf", "lib/any.jar:conf", "lib/../conf", "lib:lib/*:conf:other"})
  void itsOwnServerIsNoQuestion(String classPath) throws Exception {
    Process own = server(classPath);
    try {
      doctorWhileLocked(inUse(own));
      assertThat(printed)
          .contains(
              ", in use by %s start, pid=%d, which must stop before the start"
                  .formatted(Server.class.getName(), own.pid()))
          .doesNotContain("QUESTION");
    } finally {
      own.destroyForcibly();
    }
  }

  @Test
  void aProcessThatIsNotJavaIsNamed() throws Exception {
    Process other = new ProcessBuilder("sleep", "1000").start();
    try {
      doctorWhileLocked(inUse(other));
      assertThat(printed).contains(" is in use by sleep 1000, pid=" + other.pid());
    } finally {
      other.destroyForcibly();
    }
  }

  private static String holder(Process process, Path lock) throws IOException {
    return "pid=%d started=%d file=%s%n"
        .formatted(
            process.pid(),
            process.info().startInstant().orElseThrow().toEpochMilli(),
            Files.readAttributes(lock, BasicFileAttributes.class).fileKey());
  }

  /** A path of the SSD tier whose superblock is of another version. */
  private CacheOnDisk ofVersion(int version) throws Exception {
    CacheOnDisk cache = new CacheOnDisk(temporary.resolve("ssd"));
    cache.make(DeviceKind.SSD);
    files.set("hbase.terrace.ssd.paths", cache.path());
    files.set("hbase.terrace.ssd.size", "2m");
    Path superblock = cache.file("superblock");
    byte[] bytes = Files.readAllBytes(superblock);
    for (int copy : new int[] {Superblock.FIRST_COPY, Superblock.SECOND_COPY}) {
      ByteBuffer.wrap(bytes)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(copy + Superblock.VERSION, version);
    }
    Files.write(superblock, bytes);
    return cache;
  }

  @Test
  void blocksThatTheStartDiscardsAreNamed() throws Exception {
    CacheOnDisk cache = ofVersion(1);
    byte[] superblock = Files.readAllBytes(cache.file("superblock"));

    doctor();

    assertThat(printed)
        .contains("WARNING  " + cache.path() + " is started empty: it is of format version 1");
    assertThat(cache.file("superblock")).hasBinaryContent(superblock);
  }

  @Test
  void aPathOfANewerVersionIsKept() throws Exception {
    CacheOnDisk cache = ofVersion(99);
    byte[] superblock = Files.readAllBytes(cache.file("superblock"));

    assertThat(doctor()).as("a value of its own").isEqualTo(4);

    assertThat(printed)
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
    files.set("hbase.terrace.dram.size", "512");

    assertThat(doctor()).isEqualTo(2);
    assertThat(errors())
        .containsExactly(
            "hbase.terrace.dram.size=512 is too small: did you mean 512g? the minimum is 1 MB");
    assertThat(printed)
        .contains("WARNING  hbase.terace.ssd.size=1g is not a setting of Terrace")
        .contains("did you mean hbase.terrace.ssd.size?")
        .contains("WARNING  hbase.terrace.foo=1 is not a setting of Terrace")
        .doesNotContain("whatif", "hbase.trace.level");
  }
}
