// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javassist.bytecode.ClassFile;
import javassist.bytecode.ConstPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The drop-in jar links with jars of HBase in versions other than the one that it is compiled
 * against: what its classes refer to is there, and what those classes ask of a subclass is done.
 * The rest of HBase is that of the compiled version: of most versions one jar alone can be had.
 */
@Tag("long")
class DropInJarLinkIT {

  private static final Pattern VERSION = Pattern.compile("-(?=[0-9])");

  /**
   * A reference that does not resolve with a jar, where that is right, since the code asks first or
   * catches what happens.
   *
   * @param jar of HBase
   * @param from the class that refers
   * @param reference what it refers to
   */
  private record Guarded(String jar, String from, String reference) {}

  private static final String DATA_TIERING =
      "org/apache/hadoop/hbase/regionserver/DataTieringManager";

  private static final List<Guarded> GUARDED =
      Stream.of("hbase-server-2.5.14", "hbase-server-2.5.15")
          .flatMap(DropInJarLinkIT::withoutDataTiering)
          .toList();

  /** DataTiering looks for the class by name before it calls it. */
  private static Stream<Guarded> withoutDataTiering(String jar) {
    return Stream.of(
            "",
            ".getInstance()L" + DATA_TIERING + ";",
            ".isHotData(JLorg/apache/hadoop/conf/Configuration;)Z",
            ".isHotData(Lorg/apache/hadoop/hbase/io/hfile/HFileInfo;"
                + "Lorg/apache/hadoop/conf/Configuration;)Z",
            ".getColdFilesList()Ljava/util/Map;")
        .map(
            member ->
                new Guarded(jar, "dev/terrace/hbase/blocks/DataTiering", DATA_TIERING + member));
  }

  private static final List<String> NAME_THREADS =
      List.of(
          "regionserver/CompactSplit",
          "regionserver/HStore",
          "io/hfile/PrefetchExecutor$1",
          "ipc/RpcExecutor");

  static Stream<String> servers() {
    return Stream.of("2.5.14", "2.5.15", "2.6.5", "2.6.6", "3.0.0")
        .map(version -> "hbase-server-" + version);
  }

  static Stream<String> jars() {
    return Stream.concat(servers(), Stream.of("hbase-common-2.5.16", "hbase-common-2.6.7"));
  }

  @ParameterizedTest
  @MethodSource("jars")
  void everyReferenceResolves(String jar) throws IOException {
    TreeSet<String> unresolved = new TreeSet<>();
    TreeSet<String> guarded = new TreeSet<>();
    int references = 0;
    try (ClassFiles classes = new ClassFiles(classPath(jar))) {
      Linkage linkage = new Linkage(classes);
      for (ClassFile type : DropInJar.ownClasses()) {
        for (Reference reference : Reference.of(type)) {
          if (!reference.owner().startsWith("org/apache/")) {
            continue;
          }
          references++;
          Optional<String> problem = linkage.problem(type, reference);
          if (problem.isPresent()) {
            Guarded entry = new Guarded(jar, Linkage.name(type), reference.toString());
            (GUARDED.contains(entry) ? guarded : unresolved)
                .add(entry.from() + " -> " + entry.reference() + ": " + problem.get());
          }
        }
      }
    }
    assertThat(references).isGreaterThan(100);
    assertThat(unresolved).isEmpty();
    assertThat(guarded)
        .as("each entry of GUARDED is still needed")
        .hasSize((int) GUARDED.stream().filter(e -> e.jar().equals(jar)).count());
  }

  @ParameterizedTest
  @MethodSource("jars")
  void everyClassIsComplete(String jar) throws IOException {
    List<String> problems = new ArrayList<>();
    try (ClassFiles classes = new ClassFiles(classPath(jar))) {
      Linkage linkage = new Linkage(classes);
      for (ClassFile type : DropInJar.ownClasses()) {
        for (String problem : linkage.problems(type)) {
          problems.add(Linkage.name(type) + " " + problem);
        }
      }
    }
    assertThat(problems).isEmpty();
  }

  /** Cache on write knows by the names of HBase's threads what they do. */
  @ParameterizedTest
  @MethodSource("servers")
  void threadsHaveTheNamesThatHeatLooksFor(String jar) throws IOException {
    List<String> given = new ArrayList<>();
    try (ClassFiles classes = new ClassFiles(classPath(jar))) {
      for (String namesThreads : NAME_THREADS) {
        given.addAll(strings(classes.find("org/apache/hadoop/hbase/" + namesThreads)));
      }
      ClassFile ours = classes.find("dev/terrace/hbase/files/HBaseThreads").orElseThrow();
      List<String> lookedFor =
          ours.getFields().stream()
              .map(field -> ours.getConstPool().getStringInfo(field.getConstantValue()))
              .toList();
      assertThat(lookedFor).hasSize(NAME_THREADS.size());
      assertThat(lookedFor).allMatch(part -> given.stream().anyMatch(name -> name.contains(part)));
    }
  }

  private static List<String> strings(Optional<ClassFile> type) {
    ConstPool constants = type.orElseThrow().getConstPool();
    return IntStream.range(1, constants.getSize())
        .filter(i -> constants.getTag(i) == ConstPool.CONST_String)
        .mapToObj(constants::getStringInfo)
        .toList();
  }

  @Test
  void aClassThatLacksWhatAVersionAsksForIsFound() throws IOException {
    try (ClassFiles classes = new ClassFiles(classPath("hbase-server-2.6.6"))) {
      Linkage linkage = new Linkage(classes);
      ClassFile ours = classes.find("dev/terrace/hbase/TieredBlockCache").orElseThrow();
      Reference absent =
          new Reference(
              Reference.Kind.METHOD,
              "org/apache/hadoop/hbase/io/hfile/BlockCacheKey",
              "getFilePath",
              "()Lorg/apache/hadoop/fs/Path;");
      assertThat(linkage.problem(ours, absent)).contains("no such member");
      ClassFile hollow = new ClassFile(false, "dev.terrace.hbase.Hollow", "java.lang.Object");
      hollow.setInterfaces(new String[] {"org.apache.hadoop.hbase.io.hfile.BlockCache"});
      assertThat(linkage.problems(hollow))
          .anyMatch(problem -> problem.contains("BlockCache.getBlock("));
    }
  }

  /** The class path of this test, with a jar of HBase in place of the one of the same name. */
  private static List<Path> classPath(String jar) {
    Path file = DropInJar.buildDirectory().resolve("link-check/" + jar + ".jar");
    assertThat(Files.isRegularFile(file)).as("%s", file).isTrue();
    List<Path> classPath = new ArrayList<>(List.of(DropInJar.path(), file));
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar"))
        .filter(path -> !isReplaced(path.getFileName().toString(), jar))
        .forEach(classPath::add);
    return classPath;
  }

  private static boolean isReplaced(String there, String jar) {
    return name(there).equals(name(jar)) || there.startsWith("terrace-");
  }

  private static String name(String jar) {
    return VERSION.split(jar, 2)[0];
  }
}
