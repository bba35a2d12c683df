// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunFoldersTest {

  private static final String HFILE = "0123456789abcdef0123456789abcdef";

  @TempDir Path parent;

  @Test
  void aFolderInEachDirectoryComesAndGoes() throws Exception {
    Path one = Files.createDirectory(parent.resolve("one"));
    Path two = Files.createDirectory(parent.resolve("two"));
    RunFolders folders = RunFolders.create("run-", new RunFolders.Parents(one, one, two));

    assertThat(folders.work()).hasParent(one);
    assertThat(folders.pmem("x").getParent()).hasParent(one);
    assertThat(folders.ssd("x").getParent()).hasParent(two);

    folders.deleteAll();
    folders.deleteAll();
    assertThat(one).isEmptyDirectory();
    assertThat(two).isEmptyDirectory();
  }

  @Test
  void dataGoesFirstAndLogsStay() throws Exception {
    RunFolders folders = RunFolders.create("run-", new RunFolders.Parents(parent, parent, parent));
    Files.createDirectories(folders.data(RunFolders.LOADED).resolve("a/b"));
    Files.createDirectories(folders.data("server").resolve("a/b"));
    Files.createDirectories(folders.pmem("server"));
    Path log = Files.writeString(folders.server("server").resolve("server.log"), "x");

    folders.deleteData();

    assertThat(folders.data(RunFolders.LOADED)).doesNotExist();
    assertThat(folders.data("server")).doesNotExist();
    assertThat(folders.pmem("server")).doesNotExist();
    assertThat(log).exists();
  }

  @Test
  void linksAreDeletedAndNotFollowed() throws Exception {
    Path outside = Files.writeString(parent.resolve("outside.jar"), "x");
    RunFolders folders = RunFolders.create("run-", new RunFolders.Parents(parent, parent, parent));
    Files.createSymbolicLink(folders.work().resolve("link.jar"), outside);

    folders.deleteAll();

    assertThat(outside).exists();
    assertThat(folders.work()).doesNotExist();
  }

  @Test
  void linksHFilesAndCopiesTheRest() throws IOException {
    RunFolders folders = RunFolders.create("run-", new RunFolders.Parents(parent, parent, parent));
    Path from = folders.data(RunFolders.LOADED);
    Path family = Files.createDirectories(from.resolve("hbase/data/t/r/f"));
    Files.writeString(family.resolve(HFILE), "blocks");
    Files.writeString(family.resolve("." + HFILE + ".crc"), "sums");
    Files.writeString(from.resolve("hbase/.regioninfo"), "region");
    Files.createDirectories(from.resolve("empty"));

    folders.copyLoaded("server");

    Path to = folders.data("server");
    assertThat(to.resolve("hbase/data/t/r/f").resolve(HFILE)).hasContent("blocks");
    assertThat(to.resolve("hbase/data/t/r/f/." + HFILE + ".crc")).hasContent("sums");
    assertThat(to.resolve("empty")).isEmptyDirectory();
    Files.writeString(to.resolve("hbase/.regioninfo"), "changed");
    assertThat(from.resolve("hbase/.regioninfo")).hasContent("region");
    folders.deleteServer("server");
    assertThat(family.resolve(HFILE)).hasContent("blocks");
    assertThat(to).doesNotExist();
  }
}
