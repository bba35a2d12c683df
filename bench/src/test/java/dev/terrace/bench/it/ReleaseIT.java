// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.server.HBaseInstall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The release is whole, and needs nothing of a checkout. */
final class ReleaseIT {

  /** A link to a file beside the document, without its anchor. */
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  @TempDir static Path folder;

  private static InstalledRelease release;

  @BeforeAll
  static void install() throws IOException {
    release = InstalledRelease.into(folder, 64L << 20);
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(release.home())) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void hasWhatAnOperatorNeeds() throws IOException {
    String jar = "terrace-hbase-" + System.getProperty("terrace.version") + ".jar";
    String tools = jar.replace("hbase", "tools");
    assertThat(files().stream().map(file -> release.home().relativize(file).toString()))
        .contains(jar, jar + ".sha256", tools, tools + ".sha256")
        .contains("bin/terrace", "LICENSE", "NOTICE", "CHANGELOG.md")
        .contains("docs/monitoring/terrace-alerts.yml", "docs/samples/dram.xml")
        .noneMatch(name -> name.startsWith("bench") || name.endsWith("pom.xml"));
  }

  @Test
  void eachLinkOfItsDocumentsLeadsToAFileInIt() throws IOException {
    int links = 0;
    for (Path document : files()) {
      if (document.toString().endsWith(".md")) {
        for (MatchResult link : LINK.matcher(Files.readString(document)).results().toList()) {
          assertThat(document.resolveSibling(link.group(1)).normalize())
              .as("%s in %s", link.group(), document)
              .startsWith(release.home())
              .exists();
          links++;
        }
      }
    }
    assertThat(links).isGreaterThan(50);
  }

  /** As anybody does who checks that an archive was made from its sources. */
  @Test
  void aBuildInAnotherFolderGivesTheSameBytes(@TempDir Path other) throws IOException {
    String sources =
        "git -C %1$s ls-files -z -co --exclude-standard | tar -C %1$s --null -cT - | tar x";
    String build =
        "./mvnw --batch-mode -q -o -DskipTests -Dspotless.check.skip package -pl tiered/tools -am";
    Path archive = InstalledRelease.archive();
    InstalledRelease.run(
        other, "bash", "-ec", sources.formatted(HBaseInstall.home()) + "; " + build);
    assertThat(other.resolve(HBaseInstall.home().relativize(archive)))
        .hasSameBinaryContentAs(archive);
  }

  @Test
  void itsCommandRunsTheJar() throws IOException {
    assertThat(release.terrace("--version"))
        .satisfies(ended -> assertThat(ended.exitValue()).isZero())
        .satisfies(
            ended ->
                assertThat(ended.output())
                    .matches(
                        "Terrace "
                            + Pattern.quote(System.getProperty("terrace.version"))
                            + " build [0-9a-f]{12}\n"));
    assertThat(release.terrace("demo").output()).contains("demo", "--help").doesNotContain("mvnw");
  }
}
