// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
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
public record RunFolders(Path work, List<Path> pmem, List<Path> ssd) {

  public static final String LOADED = "loaded";

  private static final String DATA = "data";

  /** An HFile as HBase names it, or the checksum that Hadoop's local file system keeps of it. */
  private static final Pattern HFILE = Pattern.compile("\\.?[0-9a-f]{32}(_SeqId_\\d+_)?(\\.crc)?");

  public RunFolders {
    pmem = List.copyOf(pmem);
    ssd = List.copyOf(ssd);
  }

  /** Directories of the user's, in which a run makes its own. */
  public record Parents(Path work, Path pmem, Path ssd) {}

  /** Creates a folder whose name begins so in each of these directories. */
  public static RunFolders create(
      String prefix, Path workParent, List<Path> pmemParents, List<Path> ssdParents)
      throws RunFailure {
    List<Path> parents =
        Stream.of(List.of(workParent), pmemParents, ssdParents).flatMap(List::stream).toList();
    List<Path> made = new ArrayList<>();
    try {
      Files.createDirectories(workParent);
      for (Path parent : parents) {
        made.add(Files.createTempDirectory(parent.toRealPath(), prefix));
      }
    } catch (IOException e) {
      Path failed = parents.get(made.size());
      made.forEach(folder -> FileUtils.deleteQuietly(folder.toFile()));
      throw new RunFailure("cannot create a folder in " + failed + " (" + e + "); name another", e);
    }
    int firstSsd = 1 + pmemParents.size();
    return new RunFolders(
        made.get(0), made.subList(1, firstSsd), made.subList(firstSsd, made.size()));
  }

  private List<Path> all() {
    return Stream.of(pmem, ssd, List.of(work)).flatMap(List::stream).toList();
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

  public List<Path> pmem(String name) {
    return pmem.stream().map(folder -> folder.resolve(name)).toList();
  }

  /** Returns the folders of a server's SSD tier, or of BucketCache's file. */
  public List<Path> ssd(String name) {
    return ssd.stream().map(folder -> folder.resolve(name)).toList();
  }

  /** Sends the log of HBase's client in this JVM to a file, unless it logged something before. */
  public void takeClientLog() {
    System.setProperty("terrace.client.log", work.resolve("client.log").toString());
    System.setProperty(
        "log4j.configuration", RunFolders.class.getResource("client-log4j.properties").toString());
  }

  /**
   * Copies the data of the server that loaded the tables, which must have ended, for another one.
   *
   * <p>HFiles are hard links where the file system has them: HBase writes them once and then only
   * reads or deletes them, and the system's page cache holds them once for all servers, in the same
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
        // A server of S3 keeps a file's checksum in its extended attributes.
        Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** Deletes data and caches of one server; configuration and log stay. */
  public void deleteServer(String name) throws IOException {
    delete(new RunFolders(data(name), pmem(name), ssd(name)).all());
  }

  public void deleteAll() throws IOException {
    delete(all());
  }

  /** Deletes everything but the servers' configurations and the logs. */
  public void deleteData() throws IOException {
    delete(pmem);
    delete(ssd);
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
