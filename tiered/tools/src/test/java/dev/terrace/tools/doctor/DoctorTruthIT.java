// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.hbase.preflight.ServerProcess;
import dev.terrace.hbase.settings.Finding.Severity;
import dev.terrace.region.device.LibC;
import dev.terrace.region.folder.SmallDisk;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.Superblock.DeviceKind;
import dev.terrace.tools.CacheOnDisk;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * What {@code doctor} says of a configuration, and what a region server makes of it: each oddity
 * alone, and some of them together. A shell and a JVM start the server as {@code bin/hbase} does.
 */
@Tag("hadoop")
@Tag("long")
class DoctorTruthIT {

  private static final int TOGETHER = 30;
  private static final String SERVER = "hbase.regionserver.impl";
  private static final String COPROCESSOR = "hbase.coprocessor.regionserver.classes";
  private static final String EXTERNAL = "hbase.blockcache.external.class";
  private static final String TERRACE = "hbase.terrace.";

  /** What comes before each of the server's reasons. */
  private static final String REASONS = "^.*?: (?:\\d+ settings are wrong:)?|  - ";

  private static final Pattern ERROR =
      Pattern.compile("^ERROR +(.*)\\n  why +.*\\n  do +(.*)$", Pattern.MULTILINE);

  /** How bin/hbase starts a region server, or another class. */
  private static final String START =
      """
      . "$1/hbase-env.sh" > /dev/null 2>&1
      main=$2; results=$3; shift 3
      if [[ $main == *.RealStarts ]]; then SERVER_OPTS="$SERVER_GC_OPTS $HBASE_REGIONSERVER_OPTS"; fi
      sized() { case $1 in *[mMgG]) echo "$1" ;; *) echo "${1}m" ;; esac; }
      HEAP=${HBASE_HEAPSIZE:+-Xmx$(sized $HBASE_HEAPSIZE)}
      OFFHEAP=${HBASE_OFFHEAPSIZE:+-XX:MaxDirectMemorySize=$(sized $HBASE_OFFHEAPSIZE)}
      exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 $HEAP $OFFHEAP $HBASE_OPTS $SERVER_OPTS \\
        -cp "$CHILD" "$main" "$results" "$@"
      """;

  /** A change of a good configuration. */
  private record Oddity(String name, Change change) {
    @FunctionalInterface
    interface Change {
      void of(Case one) throws Exception;
    }
  }

  /** One configuration. */
  private final class Case {
    final ConfOnDisk files;
    final Path home;
    final List<String> names = new ArrayList<>();
    final Map<String, String> properties = new LinkedHashMap<>();
    String xml = "";
    String env = "";
    boolean hasJar = true;
    String verdict = "";
    String said = "";
    String truth = "";

    Case(int number) throws IOException {
      home = temporary.resolve("case" + number);
      files = new ConfOnDisk(home);
      properties.put("hbase.tmp.dir", Files.createDirectory(home.resolve("tmp")).toString());
      properties.put("hbase.rootdir", home.resolve("root").toUri().toString());
      properties.put("hbase.masterless", "true");
      properties.put("hbase.zookeeper.quorum", "127.0.0.1");
      properties.put("hbase.zookeeper.property.clientPort", Integer.toString(zooKeeperPort));
      properties.put("hbase.regionserver.port", "0");
      properties.put("hbase.regionserver.info.port", "-1");
      properties.put("hbase.regionserver.handler.count", "3");
      properties.put("hbase.unsafe.stream.capability.enforce", "false");
      properties.put(SERVER, "dev.terrace.hbase.TerraceRegionServer");
      terrace("dram.size", "8m");
    }

    void terrace(String key, Object value) {
      properties.put(TERRACE + key, value.toString());
    }

    /** A directory for a tier. */
    Path path(String name) throws IOException {
      return Files.createDirectory(
          home.resolve(name),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    void ssd(Object paths) {
      terrace("ssd.paths", paths);
      terrace("ssd.size", "2m");
    }

    /** A copy of a small cache. */
    CacheOnDisk cache() throws Exception {
      CacheOnDisk made = new CacheOnDisk(temporary.resolve("made"));
      if (Files.notExists(made.path())) {
        made.make(DeviceKind.SSD);
      }
      CacheOnDisk copy = new CacheOnDisk(path("ssd"));
      Files.copy(made.file(""), copy.file(""), StandardCopyOption.COPY_ATTRIBUTES);
      for (String file : List.of("lock", "superblock", "regions")) {
        Files.copy(made.file(file), copy.file(file), StandardCopyOption.COPY_ATTRIBUTES);
      }
      ssd(copy.path());
      return copy;
    }

    void write() throws IOException {
      for (Map.Entry<String, String> each : properties.entrySet()) {
        files.set(each.getKey(), each.getValue());
      }
      files.write(xml);
      files.env(
          """
          export HBASE_HEAPSIZE=200m
          export HBASE_OFFHEAPSIZE=96m
          export HBASE_OPTS="--add-opens=java.base/java.nio=ALL-UNNAMED"
          export HBASE_OPTS+=" --add-opens=java.base/java.lang=ALL-UNNAMED"
          %s
          """
              .formatted(env));
    }

    String group() {
      return env + hasJar;
    }

    /** Doctor's errors, each as a log would have it, without figures. */
    List<String> messages() {
      return ERROR
          .matcher(said)
          .results()
          .map(match -> withoutFigures(match.group(1) + ": " + match.group(2)))
          .toList();
    }

    @Override
    public String toString() {
      return names + ": doctor says '" + verdict + "', the server " + truth + "\n" + said;
    }
  }

  @TempDir Path temporary;

  private final MiniZooKeeperCluster zooKeeper = new MiniZooKeeperCluster(new Configuration());
  private int zooKeeperPort;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<Oddity> oddities = new ArrayList<>();

  @BeforeEach
  void open() throws Exception {
    zooKeeperPort = zooKeeper.startup(temporary.resolve("zookeeper").toFile());
  }

  @AfterEach
  void close() throws Exception {
    zooKeeper.shutdown();
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private void odd(String name, Oddity.Change change) {
    oddities.add(new Oddity(name, change));
  }

  private void set(String key, String value) {
    odd(key + "=" + value, one -> one.properties.put(key, value));
  }

  private void env(String line) {
    odd(line, one -> one.env = line);
  }

  private void xml(String xml) {
    odd(xml, one -> one.xml = xml);
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  private void entryPoints() {
    odd("as it should be", one -> {});
    set(SERVER, "dev.terrace.hbase.TeraceRegionServer");
    set(SERVER, " dev.terrace.hbase.TerraceRegionServer ");
    set(SERVER, "org.example.MyRegionServer");
    odd("no entry point", one -> one.properties.remove(SERVER));
    odd("no jar", one -> one.hasJar = false);
    for (String name : List.of("TerraceCoprocessor", "TeraceCoprocessor", "TerraceCoprocessor|5")) {
      odd(
          "by " + name,
          one -> {
            one.properties.remove(SERVER);
            one.properties.put(COPROCESSOR, "dev.terrace.hbase." + name);
          });
    }
    odd(
        "an unused coprocessor",
        one -> {
          one.properties.put(COPROCESSOR, "dev.terrace.hbase.NoCoprocessor");
          one.properties.put("hbase.coprocessor.enabled", "false");
        });
    for (String name : List.of("TieredBlockCache", "TeredBlockCache")) {
      for (String used : List.of("true", "false")) {
        odd(
            "external " + name + " " + used,
            one -> {
              one.properties.remove(SERVER);
              one.properties.put(EXTERNAL, "dev.terrace.hbase." + name);
              one.properties.put("hbase.blockcache.use.external", used);
            });
      }
    }
    odd(
        "two ways in",
        one -> one.properties.put(COPROCESSOR, "dev.terrace.hbase.TerraceCoprocessor"));
    odd(
        "two ways in, on one path",
        one -> {
          one.properties.put(COPROCESSOR, "dev.terrace.hbase.TerraceCoprocessor");
          one.ssd(one.path("both"));
        });
    odd(
        "a way in that the class takes over",
        one -> {
          one.properties.put(EXTERNAL, "dev.terrace.hbase.TieredBlockCache");
          one.properties.put("hbase.blockcache.use.external", "true");
          one.ssd(one.path("both"));
        });
    odd(
        "two caches on one path",
        one -> {
          one.properties.remove(SERVER);
          one.properties.put(EXTERNAL, "dev.terrace.hbase.TieredBlockCache");
          one.properties.put("hbase.blockcache.use.external", "true");
          one.properties.put(COPROCESSOR, "dev.terrace.hbase.TerraceCoprocessor");
          one.ssd(one.path("both"));
        });
  }

  private void values() {
    for (String size :
        List.of("0", "16M", "16mb", "512", "1g", "-1", "", "${none}", "${hbase.terrace.x}", "9e")) {
      set(TERRACE + "dram.size", size);
    }
    set(TERRACE + "dram.protected.share", "half");
    set(TERRACE + "dram.protected.share", "1");
    set(TERRACE + "ssd.verify", "yes");
    set(TERRACE + "ssd.compression", "gzip");
    set(TERRACE + "heap.copies", "ALWAYS");
    set(TERRACE + "tables.min", "dram:orders=0.6");
    set(TERRACE + "tables.max", "dram:orders=0.6");
    set(TERRACE + "tables.max", "dram:or ders");
    set(TERRACE + "tables.max", "dram:no_such_table=0");
    set(TERRACE + "no.such", "1");
    set("hbase.terace.dram.size", "1");
    set(TERRACE + "encryption", "all");
    set("hfile.block.cache.size", "abc");
    set("hfile.block.cache.size", "1.5");
    set("hbase.regionserver.global.memstore.size", "0.9");
    set("hbase.regionserver.global.memstore.size", "abc");
    odd(
        "too much heap, with the coprocessor",
        one -> {
          one.properties.remove(SERVER);
          one.properties.put(COPROCESSOR, "dev.terrace.hbase.TerraceCoprocessor");
          one.properties.put("hfile.block.cache.size", "0.5");
        });
    odd(
        "encryption without a key",
        one -> {
          one.ssd(one.path("secret"));
          one.terrace("encryption", "all");
        });
    odd(
        "encryption with a provider that is not there",
        one -> {
          one.ssd(one.path("secret"));
          one.terrace("encryption", "all");
          one.properties.put("hbase.crypto.keyprovider", "org.example.NoKeyProvider");
        });
  }

  private void files() {
    String size = TERRACE + "dram.size";
    xml(property(size, "much") + property(size, "8m"));
    xml(property(size, "8m") + property(size, "much"));
    xml("<property><name>" + size + "</name><value>8m</value><value></value></property>");
    xml("<property><name>" + size + "</name><value>8m</value><value>much</value></property>");
    xml("<property><name>" + size + "</name></property>");
    xml("<property><name>a</name><value>1</value>" + property(size, "much") + "</property>");
    xml("<property>" + property(size, "8m") + "<name>a</name><value>much</value></property>");
    xml("<property name='" + size + "' value='much' final='true'/>" + property(size, "8m"));
    xml("<property name='" + size + "' value='8m' final='true'/>" + property(size, "much"));
    xml("<group>" + property(size, "much") + "</group>");
    xml("<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='none.xml'/>");
    xml("<fallback>" + property(size, "much") + "</fallback>");
    xml("<property><name>" + size + "</name><value>8<!-- -->m</value></property>");
    xml("<property><name>" + size + "</name><value><![CDATA[8m]]></value></property>");
    xml(property("my.size", "8m") + property(size, "${my.size}"));
    xml(property("my.size", "${my.size}") + property(size, "${my.size}"));
    xml(property(size, "${env.NONE:-8m}"));
    xml("<property>");
    odd(
        "a core-site.xml",
        one -> writeCore(one, "<configuration>" + property(size, "1x") + "<a/></configuration>"));
    odd("a broken core-site.xml", one -> writeCore(one, "<configuration>"));
    odd(
        "a final core-site.xml",
        one ->
            writeCore(
                one,
                "<configuration><property><name>"
                    + size
                    + "</name><value>1x</value><final>true</final></property></configuration>"));
  }

  private static void writeCore(Case one, String xml) throws IOException {
    Files.writeString(one.files.conf().resolve("core-site.xml"), xml);
  }

  private void paths() {
    odd("a directory", one -> one.ssd(one.path("ssd")));
    odd("two directories", one -> one.ssd(one.path("a") + " , " + one.path("b")));
    odd("the same twice", one -> one.ssd(one.path("a") + "," + one.home.resolve("a")));
    odd("an empty one between", one -> one.ssd(one.path("a") + ",," + one.path("b")));
    odd("an absent one", one -> one.ssd(one.home.resolve("absent")));
    odd("one of two is absent", one -> one.ssd(one.path("a") + "," + one.home.resolve("absent")));
    odd(
        "one to be made",
        one -> {
          one.ssd(one.home.resolve("absent"));
          one.terrace("create.paths", "true");
        });
    odd(
        "one to be made in an absent one",
        one -> {
          one.ssd(one.home.resolve("absent/too"));
          one.terrace("create.paths", "true");
        });
    odd("a relative one", one -> one.ssd("ssd"));
    odd("in hbase.tmp.dir", one -> one.ssd(made(one, "tmp/ssd", "${hbase.tmp.dir}/ssd")));
    odd("in hbase.home.dir", one -> one.ssd(made(one, "ssd", "${hbase.home.dir}/ssd")));
    odd("in the usual log folder", one -> one.ssd(made(one, "logs/ssd", "${hbase.log.dir}/ssd")));
    odd("in a variable that is none", one -> one.ssd("${no.such}/ssd"));
    odd("in the environment", one -> one.ssd("${env.HOME}/ssd"));
    odd("a link", one -> one.ssd(Files.createSymbolicLink(one.home.resolve("l"), one.path("a"))));
    odd(
        "a link to nothing",
        one -> one.ssd(Files.createSymbolicLink(one.home.resolve("l"), one.home.resolve("no"))));
    odd("a file", one -> one.ssd(Files.createFile(one.home.resolve("file"))));
    odd("below a file", one -> one.ssd(Files.createFile(one.home.resolve("f")).resolve("ssd")));
    odd(
        "one of two for its group",
        one -> one.ssd(one.path("a") + "," + rights(one.path("b"), "rwxrwx---")));
    odd("writable by its group", one -> one.ssd(rights(one.path("ssd"), "rwxrwx---")));
    odd("of another user", one -> one.ssd(ofAnother(one.path("ssd"))));
    odd("without a size", one -> one.terrace("ssd.paths", one.path("ssd")));
    odd("a size without paths", one -> one.terrace("ssd.size", "2m"));
    odd("paths and size 0", one -> sized(one, "0"));
    odd("far too large", one -> sized(one, "15t"));
    odd("512 bytes", one -> sized(one, "512"));
    odd(
        "of two tiers",
        one -> {
          one.ssd(one.path("both"));
          one.terrace("pmem.paths", one.home.resolve("both"));
          one.terrace("pmem.size", "2m");
        });
    odd(
        "of PMem",
        one -> {
          one.terrace("pmem.paths", one.path("pmem"));
          one.terrace("pmem.size", "2m");
        });
    odd(
        "too large together",
        one -> {
          one.ssd(one.path("a"));
          one.terrace("ssd.size", "8t");
          one.terrace("pmem.paths", one.path("b"));
          one.terrace("pmem.size", "8t");
        });
  }

  private void contents() {
    odd("a cache", Case::cache);
    odd(
        "a cache of SSD for PMem",
        one -> {
          one.terrace("pmem.paths", one.cache().path());
          one.terrace("pmem.size", "2m");
          one.properties.remove(TERRACE + "ssd.size");
          one.properties.remove(TERRACE + "ssd.paths");
        });
    odd("its folder of another user", one -> ofAnother(one.cache().file("")));
    odd("its folder for all", one -> rights(one.cache().file(""), "rwxrwxrwx"));
    odd("its folder read-only", one -> rights(one.cache().file(""), "r-x------"));
    odd("its folder a file", one -> Files.createFile(emptied(one).resolve("terrace")));
    odd(
        "its folder a link",
        one -> Files.createSymbolicLink(emptied(one).resolve("terrace"), one.path("elsewhere")));
    for (String file : List.of("lock", "superblock", "regions")) {
      odd(file + " is gone", one -> Files.delete(one.cache().file(file)));
      odd(file + " is empty", one -> Files.write(one.cache().file(file), new byte[0]));
      odd(file + " is noise", one -> Files.write(one.cache().file(file), new byte[12_288]));
      odd(file + " of another user", one -> ofAnother(one.cache().file(file)));
      odd(file + " for all", one -> rights(one.cache().file(file), "rw-rw-rw-"));
      odd(
          file + " a folder",
          one -> {
            Path there = one.cache().file(file);
            Files.delete(there);
            Files.createDirectory(there);
          });
      odd(
          file + " a link",
          one -> {
            Path there = one.cache().file(file);
            Files.move(there, one.home.resolve("moved"));
            Files.createSymbolicLink(there, one.home.resolve("moved"));
          });
    }
    odd("another format", one -> otherFormat(one.cache().file("superblock")));
    odd("its lock names a process that does not hold it", one -> held(one.cache().file("lock")));
    odd("another process has it", one -> locked(one.cache().file("lock")));
    odd("foreign files beside it", one -> Files.createFile(one.cache().path().resolve("notes")));
  }

  /** Disks that only root can make. */
  private void disks() {
    odd("a small disk", one -> one.ssd(disk(one, "size=1m").directory()));
    odd("a full disk", one -> full(one, one.path("ssd")));
    odd("a full disk with a cache", one -> full(one, one.cache().path()));
    odd("a disk in memory", one -> one.ssd(disk(one, "size=8m").directory()));
    odd("a read-only disk", one -> readOnly(one, one.path("ssd")));
    odd("a read-only disk with a cache", one -> readOnly(one, one.cache().path()));
  }

  private void environments() {
    env("export HBASE_OFFHEAPSIZE=8gb");
    env("export HBASE_OFFHEAPSIZE=7m");
    env("export HBASE_OPTS+=' -XX:MaxDirectMemorySize=7m'");
    env("if false; then\nexport HBASE_OFFHEAPSIZE=7m\nfi");
    env("cat <<END\nexport HBASE_OFFHEAPSIZE=8gb\nEND");
    odd(
        "a system property",
        one -> {
          one.env = "export HBASE_REGIONSERVER_OPTS=-Dmy.size=7x";
          one.xml = property("my.size", "8m") + property(TERRACE + "dram.size", "${my.size}");
        });
    env("export HBASE_HEAPSIZE=" + ((ServerProcess.machineBytes() >> 20) - 100));
    env("ulimit -n 1000");
    odd(
        "JNA without its library",
        one -> {
          one.env = "export HBASE_OPTS+=' -Djna.nosys=true -Djna.noclasspath=true'";
          one.ssd(one.path("ssd"));
        });
    env("export JAVA_HOME=/no/such/java");
    env("export HBASE_HEAPSIZE=$((100 + 100))");
    env("export HBASE_OPTS+=' -XX:+UseConcMarkSweepGC'");
    env("export HBASE_OPTS+=' -Xms300m'");
    env("exit 0");
  }

  private static Path made(Case one, String path, String text) throws IOException {
    Files.createDirectories(one.home.resolve(path));
    rights(one.home.resolve(path), "rwx------");
    return Path.of(text);
  }

  private static void sized(Case one, String size) throws IOException {
    one.ssd(one.path("ssd"));
    one.terrace("ssd.size", size);
  }

  private static Path emptied(Case one) throws IOException {
    one.ssd(one.path("ssd"));
    return one.home.resolve("ssd");
  }

  private static Path rights(Path path, String rights) throws IOException {
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  private static Path ofAnother(Path path) throws IOException {
    return Files.setAttribute(path, "unix:uid", 65_534);
  }

  private static void otherFormat(Path superblock) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.wrap(Files.readAllBytes(superblock)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(Superblock.FIRST_COPY + Superblock.VERSION, 1);
    bytes.putInt(Superblock.SECOND_COPY + Superblock.VERSION, 1);
    Files.write(superblock, bytes.array());
  }

  private void held(Path lock) throws IOException {
    Process other = new ProcessBuilder("sleep", "10000").start();
    open.add(other::destroyForcibly);
    Files.writeString(
        lock,
        "pid=%d started=%d file=%s%n"
            .formatted(
                other.pid(),
                other.info().startInstant().orElseThrow().toEpochMilli(),
                Files.readAttributes(lock, BasicFileAttributes.class).fileKey()));
  }

  private void locked(Path lock) throws IOException {
    held(lock);
    LibC libC = LibC.load().orElseThrow();
    int descriptor = libC.open(lock.toString(), LibC.O_RDWR);
    open.add(() -> libC.close(descriptor));
    assertThat(libC.tryLock(descriptor, true)).isTrue();
  }

  private SmallDisk disk(Case one, String options) throws IOException {
    SmallDisk disk = SmallDisk.mount(one.home.resolve("disk"), "tmpfs", options);
    open.add(disk);
    return disk;
  }

  private void readOnly(Case one, Path path) throws IOException {
    onDisk(one, path).setReadOnly(true);
  }

  private void full(Case one, Path path) throws IOException {
    Path filling = onDisk(one, path).directory().resolve("filling");
    try (OutputStream out = Files.newOutputStream(filling)) {
      while (true) {
        out.write(new byte[4096]);
      }
    } catch (IOException e) {
      assertThat(Files.getFileStore(filling).getUsableSpace()).isLessThan(4096);
    }
  }

  /** Moves a path to a disk of its own. */
  private SmallDisk onDisk(Case one, Path path) throws IOException {
    SmallDisk disk = disk(one, "size=8m");
    Path there = disk.directory().resolve("ssd");
    if (Files.exists(path.resolve("terrace"))) {
      new ProcessBuilder("cp", "-a", path.toString(), there.toString()).start().onExit().join();
    } else {
      rights(Files.createDirectory(there), "rwx------");
    }
    one.ssd(there);
    return disk;
  }

  private List<Case> cases() throws Exception {
    entryPoints();
    values();
    files();
    paths();
    contents();
    disks();
    environments();
    List<Case> cases = new ArrayList<>();
    for (Oddity oddity : oddities) {
      add(cases, List.of(oddity));
    }
    Random random = new Random(36);
    for (int i = 0; i < TOGETHER; i++) {
      add(
          cases,
          random
              .ints(2 + random.nextInt(2), 0, oddities.size())
              .mapToObj(oddities::get)
              .distinct()
              .toList());
    }
    return cases;
  }

  private void add(List<Case> cases, List<Oddity> some) throws Exception {
    Case one = new Case(cases.size());
    try {
      for (Oddity oddity : some) {
        one.names.add(oddity.name);
        oddity.change.of(one);
      }
    } catch (TestAbortedException | IOException e) {
      // Another one has made the same, or it takes root.
      one.names.add("but " + e);
    }
    one.write();
    cases.add(one);
  }

  /** Has doctor examine the configurations of one environment. */
  private void examine(List<Case> cases) throws Exception {
    Path results = Files.createTempDirectory(temporary, "results");
    run(RealExaminations.class, classPath(true), results, cases);
    for (int i = 0; i < cases.size(); i++) {
      Case one = cases.get(i);
      Path said = results.resolve(i + 1 + ".txt");
      one.said = Files.exists(said) ? Files.readString(said) : "exit value 2\n";
      one.verdict =
          one.said.matches("(?s).*exit value 2\n")
              ? "fails"
              : one.said.contains("\nQUESTION ") ? "question" : "starts";
    }
  }

  /** Starts the servers of one environment. */
  private void start(List<Case> cases) throws Exception {
    Path results = temporary.resolve("results");
    Files.deleteIfExists(results);
    run(RealStarts.class, classPath(cases.get(0).hasJar), results, cases);
    List<String> outcomes = Files.exists(results) ? Files.readAllLines(results) : List.of();
    for (int i = 0; i < cases.size(); i++) {
      cases.get(i).truth = outcomes.isEmpty() ? RealStarts.FAILED + ": no JVM" : outcomes.get(i);
    }
  }

  /** Runs a program as bin/hbase does. */
  private void run(Class<?> main, String classPath, Path results, List<Case> cases)
      throws Exception {
    Case first = cases.get(0);
    List<String> command =
        new ArrayList<>(
            List.of(
                "bash",
                "-c",
                START,
                "hbase",
                first.files.conf().toString(),
                main.getName(),
                results.toString()));
    cases.forEach(one -> command.add(one.files.conf().toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CHILD", classPath);
    builder.environment().put("SERVER", classPath(first.hasJar));
    builder.environment().put("HBASE_HOME", first.home.toString());
    builder.redirectErrorStream(true).redirectOutput(temporary.resolve("output").toFile());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).as("it ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String classPath(boolean hasJar) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> hasJar || !entry.matches(".*(/classes|/terrace-[^/]*)"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean agree(Case one) {
    return switch (one.verdict) {
      case "starts" -> one.truth.startsWith("started") && pathsAgree(one);
      case "fails" ->
          one.said.contains(", or start without Terrace\n")
              ? !one.truth.startsWith(RealStarts.STARTED)
              : one.truth.startsWith(RealStarts.FAILED) && textsAgree(one);
      default -> true;
    };
  }

  /** The paths that doctor says are out are those that the server starts without. */
  private static boolean pathsAgree(Case one) {
    List<String> said =
        one.said.lines().filter(line -> line.startsWith(Severity.OUT.name())).toList();
    List<String> without = Stream.of(one.truth.split(RealStarts.WITHOUT_PATH, -1)).skip(1).toList();
    return said.size() == without.size()
        && without.stream().allMatch(path -> said.stream().anyMatch(line -> line.contains(path)));
  }

  /** Each reason that the server has is one of doctor's, but for free space, which changes. */
  private static boolean textsAgree(Case one) {
    int reasons = one.truth.indexOf("SettingsException: ");
    return reasons < 0
        || Stream.of(one.truth.substring(reasons).split(REASONS, -1))
            .filter(reason -> !reason.isBlank())
            .allMatch(reason -> one.messages().contains(withoutFigures(reason)));
  }

  private static String withoutFigures(String message) {
    return message.replaceAll("\\d[\\d,.]*", "N");
  }

  @Test
  void whatDoctorSaysIsWhatTheServerDoes() throws Exception {
    List<Case> cases = cases();
    for (List<Case> group :
        cases.stream().collect(Collectors.groupingBy(Case::group, Collectors.toList())).values()) {
      examine(group);
      start(group);
    }

    assertThat(cases).filteredOn(one -> !agree(one)).as("disagreements").isEmpty();
    assertThat(cases.stream().collect(Collectors.groupingBy(one -> one.verdict)))
        .satisfies(
            verdicts -> {
              assertThat(verdicts.get("starts")).hasSizeGreaterThan(cases.size() / 5);
              assertThat(verdicts.get("fails")).hasSizeGreaterThan(cases.size() / 5);
              assertThat(verdicts.get("question")).hasSizeLessThan(cases.size() / 5);
            });
  }
}
