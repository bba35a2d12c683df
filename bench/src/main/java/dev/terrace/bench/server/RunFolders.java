// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * The new folders of one run.
 *
 * @param work for servers and data
 * @param pmem for PMem tiers
 * @param ssd for SSD tiers, and for files of BucketCache
 */
public record RunFolders(Path work, Path pmem, Path ssd) {

  public static final String LOADED = "loaded";

  private static final String DATA = "data";

  /** An HFile as HBase names it, or the checksum that Hadoop's local file system keeps for it. */
  private static final Pattern HFILE = Pattern.compile("\\.?[0-9a-f]{32}(_SeqId_\\d+_)?(\\.crc)?");

  /** Directories of the user, in which a run creates its own. */
  public record Parents(Path work, Path pmem, Path ssd) {}

  /** Creates a folder with this prefix in each of these directories. */
  public static RunFolders create(String prefix, Parents parents) throws RunFailure {
    try {
      Files.createDirectories(parents.work());
      return new RunFolders(
          Files.createTempDirectory(parents.work().toRealPath(), prefix),
          Files.createTempDirectory(parents.pmem().toRealPath(), prefix),
          Files.createTempDirectory(parents.ssd().toRealPath(), prefix));
    } catch (IOException e) {
      throw new RunFailure("cannot create a folder (" + e + "); name another", e);
    }
  }

  private List<Path> all() {
    return List.of(pmem, ssd, work);
  }

  /** All that a run leaves if it keeps its data, and the command that removes it. */
  public String removal() {
    return all().stream().map(Path::toString).collect(Collectors.joining(" ", "rm -r ", ""));
  }

  public Path server(String name) {
    return work.resolve(name);
  }

  public Path data(String name) {
    return server(name).resolve(DATA);
  }

  public Path pmem(String name) {
    return pmem.resolve(name);
  }

  /** Returns the folder of a server's SSD tier, or of BucketCache's file. */
  public Path ssd(String name) {
    return ssd.resolve(name);
  }

  /** Sends the log of this JVM's HBase client to a file, unless it has already logged. */
  public void takeClientLog() {
    System.setProperty("terrace.client.log", work.resolve("client.log").toString());
    System.setProperty(
        "log4j.configuration", RunFolders.class.getResource("client-log4j.properties").toString());
  }

  /**
   * Copies the data of the server that loaded the tables, which must have ended, for another
   * server.
   *
   * <p>HFiles are hard links where the file system supports them: HBase writes them once and then
   * only reads or deletes them, and the page cache holds them once for all servers, in the same
   * state for each. Everything else is copied.
   */
  public void copyLoaded(String name) throws IOException {
    Path from = data(LOADED);
    List<Path> files;
    try (Stream<Path> all = Files.walk(from)) {
      files = all.toList();
    }
    for (Path file : files) {
      Path target = data(name).resolve(from.relativize(file));
      if (Files.isDirectory(file)) {
        Files.createDirectories(target);
      } else if (HFILE.matcher(file.getFileName().toString()).matches()) {
        try {
          Files.createLink(target, file);
        } catch (UnsupportedOperationException e) {
          Files.copy(file, target);
        }
      } else {
        // An S3 server keeps a file's checksum in its extended attributes.
        Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** Deletes the data and caches of one server; configuration and log stay. */
  public void deleteServer(String name) throws IOException {
    delete(new RunFolders(data(name), pmem(name), ssd(name)).all());
  }

  public void deleteAll() throws IOException {
    delete(all());
  }

  /** Deletes everything but the servers' configurations and logs. */
  public void deleteData() throws IOException {
    delete(List.of(pmem, ssd));
    try (Stream<Path> servers = Files.list(work)) {
      delete(servers.map(server -> server.resolve(DATA)).toList());
    }
  }

  private static void delete(List<Path> folders) throws IOException {
    for (Path folder : folders) {
      FileUtils.deleteDirectory(folder.toFile());
    }
  }
}
