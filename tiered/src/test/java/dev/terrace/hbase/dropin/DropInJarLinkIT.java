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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The drop-in jar links with the {@code hbase-server} of versions other than the one that it is
 * compiled against: what its classes refer to is there, and what those classes ask of a subclass is
 * done. The rest of HBase is that of the compiled version.
 */
class DropInJarLinkIT {

  private static final Pattern HBASE_SERVER = Pattern.compile("hbase-server-[0-9].*\\.jar");

  /**
   * A reference that does not resolve in a version, where that is right, since the code asks first
   * or catches what happens.
   *
   * @param version of HBase
   * @param from the class that refers
   * @param reference what it refers to
   */
  private record Guarded(String version, String from, String reference) {}

  private static final String DATA_TIERING =
      "org/apache/hadoop/hbase/regionserver/DataTieringManager";

  private static final List<Guarded> GUARDED =
      List.of(
          // DataTiering looks for the class by name before it uses the nested class that refers to
          // it.
          new Guarded("2.5.15", "dev/terrace/hbase/blocks/DataTiering$Present", DATA_TIERING),
          new Guarded(
              "2.5.15",
              "dev/terrace/hbase/blocks/DataTiering$Present",
              DATA_TIERING + ".getInstance()L" + DATA_TIERING + ";"),
          new Guarded(
              "2.5.15",
              "dev/terrace/hbase/blocks/DataTiering$Present",
              DATA_TIERING + ".isHotData(JLorg/apache/hadoop/conf/Configuration;)Z"),
          new Guarded(
              "2.5.15",
              "dev/terrace/hbase/blocks/DataTiering$Present",
              DATA_TIERING
                  + ".isHotData(Lorg/apache/hadoop/hbase/io/hfile/HFileInfo;"
                  + "Lorg/apache/hadoop/conf/Configuration;)Z"),
          new Guarded(
              "2.5.15",
              "dev/terrace/hbase/blocks/DataTiering$Present",
              DATA_TIERING + ".getColdFilesList()Ljava/util/Map;"));

  private static final List<String> NAME_THREADS =
      List.of(
          "regionserver/CompactSplit",
          "regionserver/HStore",
          "io/hfile/PrefetchExecutor$1",
          "ipc/RpcExecutor");

  static Stream<String> versions() {
    return Stream.of("2.5.15", "2.6.6", "3.0.0");
  }

  @ParameterizedTest
  @MethodSource("versions")
  void everyReferenceResolves(String version) throws IOException {
    TreeSet<String> unresolved = new TreeSet<>();
    TreeSet<String> guarded = new TreeSet<>();
    int references = 0;
    try (ClassFiles classes = new ClassFiles(classPath(version))) {
      Linkage linkage = new Linkage(classes);
      for (ClassFile type : DropInJar.ownClasses()) {
        for (Reference reference : Reference.of(type)) {
          if (!reference.owner().startsWith("org/apache/")) {
            continue;
          }
          references++;
          Optional<String> problem = linkage.problem(type, reference);
          if (problem.isPresent()) {
            Guarded entry = new Guarded(version, Linkage.name(type), reference.toString());
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
        .hasSize((int) GUARDED.stream().filter(e -> e.version().equals(version)).count());
  }

  @ParameterizedTest
  @MethodSource("versions")
  void everyClassIsComplete(String version) throws IOException {
    List<String> problems = new ArrayList<>();
    try (ClassFiles classes = new ClassFiles(classPath(version))) {
      Linkage linkage = new Linkage(classes);
      for (ClassFile type : DropInJar.ownClasses()) {
        for (String problem : linkage.problems(type)) {
          problems.add(Linkage.name(type) + " " + problem);
        }
      }
    }
    assertThat(problems).isEmpty();
  }

  /** Heat knows by the names of HBase's threads what they do. */
  @ParameterizedTest
  @MethodSource("versions")
  void threadsHaveTheNamesThatHeatLooksFor(String version) throws IOException {
    List<String> given = new ArrayList<>();
    try (ClassFiles classes = new ClassFiles(classPath(version))) {
      for (String namesThreads : NAME_THREADS) {
        given.addAll(strings(classes.find("org/apache/hadoop/hbase/" + namesThreads)));
      }
      List<String> lookedFor = strings(classes.find("dev/terrace/hbase/heat/HBaseThreads"));
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
    try (ClassFiles classes = new ClassFiles(classPath("2.6.6"))) {
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

  private static List<Path> classPath(String version) {
    Path server = DropInJar.buildDirectory().resolve("link-check/hbase-server-" + version + ".jar");
    assertThat(Files.isRegularFile(server)).as("%s", server).isTrue();
    List<Path> classPath = new ArrayList<>(List.of(DropInJar.path(), server));
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar"))
        .filter(path -> !isReplaced(path.getFileName().toString()))
        .forEach(classPath::add);
    return classPath;
  }

  private static boolean isReplaced(String jar) {
    return HBASE_SERVER.matcher(jar).matches() || jar.startsWith("terrace-");
  }
}
