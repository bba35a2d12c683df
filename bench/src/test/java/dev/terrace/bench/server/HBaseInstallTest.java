// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HBaseInstallTest {

  @TempDir Path home;

  @BeforeEach
  void build() throws IOException {
    Files.createDirectories(home.resolve("bench/target/hbase/webapps-root"));
    touch("bench/target/hbase/lib/zookeeper-1.jar");
    touch("bench/target/hbase/lib/hbase-server-1.jar");
    touch("tiered/target/terrace-hbase-1.jar");
    touch("tiered/target/terrace-hbase-1-sources.jar");
    touch("tiered/target/terrace-tiered-1.jar");
  }

  private Path touch(String name) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }

  @Test
  void findsJarsInTheOrderOfTheirNames() throws Exception {
    HBaseInstall install = HBaseInstall.in(home);
    assertThat(install.jars())
        .extracting(jar -> jar.getFileName().toString())
        .containsExactly("hbase-server-1.jar", "zookeeper-1.jar");
    assertThat(install.dropInJar()).isEqualTo(home.resolve("tiered/target/terrace-hbase-1.jar"));
  }

  @Test
  void takesAnotherHBaseThatIsNamed() throws Exception {
    Files.createDirectories(home.resolve("other/webapps-root"));
    Path jar = touch("other/lib/hbase-server-2.jar");
    System.setProperty("terrace.hbase", home.resolve("other").toString());
    try {
      HBaseInstall install = HBaseInstall.in(home);
      assertThat(install.jars()).containsExactly(jar);
      assertThat(install.webappsRoot()).isEqualTo(home.resolve("other/webapps-root"));
      assertThat(install.dropInJar()).isEqualTo(home.resolve("tiered/target/terrace-hbase-1.jar"));
    } finally {
      System.clearProperty("terrace.hbase");
    }
  }

  @Test
  void namesTwoDropInJars() throws Exception {
    touch("tiered/target/terrace-hbase-2.jar");
    assertThatThrownBy(() -> HBaseInstall.in(home))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("terrace-hbase-1.jar")
        .hasMessageContaining("terrace-hbase-2.jar")
        .hasMessageContaining("mvnw");
  }
}
