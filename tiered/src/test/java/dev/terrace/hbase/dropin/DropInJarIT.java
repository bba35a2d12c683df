// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javassist.bytecode.ClassFile;
import javassist.bytecode.ConstPool;
import org.junit.jupiter.api.Test;

/** What is in the drop-in jar, and what must not be. */
class DropInJarIT {

  private static final int JAVA_17 = 61;

  /** All that may be in the jar; anything else that a dependency brings along is found by this. */
  private static final Pattern ALLOWED =
      Pattern.compile(
          "META-INF/(MANIFEST\\.MF|LICENSE|NOTICE|HdrHistogram-LICENSE\\.txt|SLF4J-LICENSE\\.txt|AL2\\.0|LGPL2\\.1)"
              + "|dev/terrace/(api|region|dram|pmem|ssd|tiered|hbase)/[A-Za-z0-9_$/-]+\\.class"
              + "|dev/terrace/hbase/web/(index\\.html|page\\.(css|js))"
              + "|dev/terrace/hbase/(status/terrace|settings/findings|diagnosis/reasons|web/problems)\\.properties"
              + "|dev/terrace/shaded/(netty|hdrhistogram|caffeine|aircompressor)/[A-Za-z0-9_$/-]+\\.class"
              + "|com/sun/jna/[A-Za-z0-9_$/-]+\\.class"
              + "|com/sun/jna/linux-[a-z0-9-]+/libjnidispatch\\.so"
              + "|org/apache/hadoop/hbase/io/hfile/(MemcachedBlockCache|HeapBlocks)\\.class"
              + "|org/apache/hadoop/hbase/nio/BufferHolders\\.class");

  private static final Pattern INCLUDE = Pattern.compile("<include>[^<:]+:([^<]+)</include>");
  private static final Pattern FILE_IN_NOTICE =
      Pattern.compile("META-INF/[A-Za-z0-9.-]*[A-Za-z0-9]");

  private static final Pattern UNRELOCATED =
      Pattern.compile(
          "(?<!dev[/.]terrace[/.]shaded[/.])(?<!org[/.]apache[/.]hbase[/.]thirdparty[/.])"
              + "(io[/.]netty[/.]|com[/.]github[/.]benmanes[/.]|io[/.]airlift[/.]|org[/.]HdrHistogram[/.])");

  @Test
  void holdsNothingButTerraceAndWhatItBrings() throws IOException {
    assertThat(DropInJar.files())
        .allMatch(ALLOWED.asMatchPredicate())
        .as("what only the tools use")
        .noneMatch(name -> name.matches(".*/(inspect/.*|ReadOnlyDevice.*|RecordedTrace.*)"));
  }

  @Test
  void holdsAllThatTerraceBrings() throws IOException {
    assertThat(DropInJar.files())
        .contains(
            "META-INF/LICENSE",
            "META-INF/NOTICE",
            "dev/terrace/hbase/TieredBlockCache.class",
            "dev/terrace/hbase/TerraceRegionServer.class",
            "dev/terrace/dram/DramTier.class",
            "dev/terrace/shaded/netty/buffer/ByteBuf.class",
            "dev/terrace/shaded/netty/util/ReferenceCounted.class",
            "dev/terrace/shaded/hdrhistogram/Histogram.class",
            "dev/terrace/shaded/caffeine/cache/Caffeine.class",
            "dev/terrace/shaded/aircompressor/lz4/Lz4Decompressor.class",
            "dev/terrace/shaded/aircompressor/zstd/ZstdDecompressor.class",
            "org/apache/hadoop/hbase/io/hfile/MemcachedBlockCache.class",
            "com/sun/jna/Native.class",
            "com/sun/jna/linux-x86-64/libjnidispatch.so",
            "com/sun/jna/linux-aarch64/libjnidispatch.so");
  }

  @Test
  void namesNothingByItsNameBeforeRelocation() throws IOException {
    List<String> found = new ArrayList<>();
    for (ClassFile type : DropInJar.classes()) {
      ConstPool pool = type.getConstPool();
      for (int i = 1; i < pool.getSize(); i++) {
        if (pool.getTag(i) == ConstPool.CONST_Utf8 && isUnrelocatedName(pool.getUtf8Info(i))) {
          found.add(type.getName() + ": " + pool.getUtf8Info(i));
        }
      }
    }
    assertThat(found).isEmpty();
  }

  /** Whether it names a type, package or property: a message for people has a space. */
  private static boolean isUnrelocatedName(String constant) {
    return !constant.contains(" ")
        && !constant.startsWith("META-INF/")
        && UNRELOCATED.matcher(constant).find();
  }

  @Test
  void runsOnJava17() throws IOException {
    assertThat(DropInJar.classes())
        .isNotEmpty()
        .allMatch(type -> type.getMajorVersion() <= JAVA_17);
  }

  @Test
  void refersToNothingThatNeitherItNorHBaseNorTheJdkHas() throws IOException {
    TreeSet<String> found = new TreeSet<>();
    for (ClassFile type : DropInJar.ownClasses()) {
      for (Reference reference : Reference.of(type)) {
        found.add(reference.owner().replaceFirst("/[^/]*$", ""));
      }
    }
    assertThat(found)
        .allMatch(
            name ->
                name.matches(
                    "(java|javax/crypto|javax/management|javax/servlet|javax/xml|org/w3c/dom|org/xml/sax|dev/terrace"
                        + "|com/sun/jna|org/apache|org/slf4j)(/.*)?"
                        + "|com/sun/management|com/sun/security/auth/module|jdk/nio/mapmode"));
  }

  @Test
  void tellsItsVersion() throws IOException {
    try (JarFile jar = new JarFile(DropInJar.path().toFile())) {
      Attributes attributes = jar.getManifest().getMainAttributes();
      assertThat(attributes.getValue(Attributes.Name.IMPLEMENTATION_TITLE))
          .isEqualTo("Terrace for HBase");
      assertThat(attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION))
          .isEqualTo(DropInJar.version());
      assertThat(text(jar, "dev/terrace/hbase/status/terrace.properties"))
          .contains("version=" + DropInJar.version());
    }
  }

  /** Whoever changes a version looks into its licence again, and then changes NOTICE. */
  @Test
  void carriesTheLicensesOfAllThatIsPacked() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    String packed =
        pom.substring(pom.indexOf("<artifactSet>"), pom.indexOf("</artifactSet>"))
            .replace("<include>dev.terrace:*</include>", "");
    List<String> artifacts =
        INCLUDE.matcher(packed).results().map(match -> match.group(1)).toList();
    assertThat(artifacts).hasSizeGreaterThan(5);
    try (JarFile jar = new JarFile(DropInJar.path().toFile())) {
      assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
      String notice = text(jar, "META-INF/NOTICE");
      assertThat(artifacts)
          .allSatisfy(
              artifact ->
                  assertThat(notice).containsIgnoringCase(artifact + " " + version(artifact)));
      assertThat(FILE_IN_NOTICE.matcher(notice).results().map(MatchResult::group))
          .isNotEmpty()
          .allSatisfy(file -> assertThat(jar.getEntry(file)).as(file).isNotNull());
    }
    assertThat(
            DropInJar.files().stream()
                .filter(file -> file.startsWith("dev/terrace/shaded/"))
                .map(file -> file.split("/", -1)[3])
                .distinct())
        .containsExactlyInAnyOrder("netty", "hdrhistogram", "caffeine", "aircompressor");
  }

  /** The version that is on this test's class path. */
  private static String version(String artifact) {
    Pattern name = Pattern.compile(Pattern.quote(artifact) + "-([0-9].*)\\.jar");
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(entry -> name.matcher(Path.of(entry).getFileName().toString()))
        .filter(Matcher::matches)
        .findFirst()
        .orElseThrow()
        .group(1);
  }

  @Test
  void whatIsRelocatedWorksAlone() throws Exception {
    URL[] jar = {DropInJar.path().toUri().toURL()};
    try (URLClassLoader alone = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
      Object buffer = call(alone, "dev.terrace.shaded.netty.buffer.Unpooled", "directBuffer", 64);
      // By the public type: one buffer in a hundred is wrapped for leak detection in a class that
      // is not.
      Class<?> byteBuf = alone.loadClass("dev.terrace.shaded.netty.buffer.ByteBuf");
      assertThat(byteBuf.getMethod("capacity").invoke(buffer)).isEqualTo(64);
      assertThat(byteBuf.getMethod("release").invoke(buffer)).isEqualTo(true);
    }
  }

  private static Object call(ClassLoader loader, String type, String method, int argument)
      throws Exception {
    return loader.loadClass(type).getMethod(method, int.class).invoke(null, argument);
  }

  private static String text(JarFile jar, String name) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
