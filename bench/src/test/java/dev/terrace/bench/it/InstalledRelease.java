// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import dev.terrace.bench.server.HBaseInstall;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;

/**
 * Terrace from the release's archive, installed beside an HBase by the very commands of its README.
 * Only the disks, the limit of direct memory and the user are those of the test.
 */
final class InstalledRelease {

  private static final String NAME = "terrace-" + System.getProperty("terrace.version");
  private static final String ARCHIVE = NAME + ".tar.gz";

  private static final Pattern STEPS =
      Pattern.compile("## Install it in HBase\n(.*?)\n##+ ", Pattern.DOTALL);
  private static final Pattern COMMANDS = Pattern.compile(" +```\n(.*?)```", Pattern.DOTALL);
  private static final Pattern PROPERTIES = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL);

  private final Path folder;
  private final long directMemory;

  private InstalledRelease(Path folder, long directMemory) {
    this.folder = folder;
    this.directMemory = directMemory;
  }

  /**
   * Installs it.
   *
   * @param folder gets the unpacked release, an HBase and the disks
   * @param directMemory of the region server, in whole megabytes
   */
  static InstalledRelease into(Path folder, long directMemory) throws IOException {
    copyArchive(folder);
    InstalledRelease release = new InstalledRelease(folder, directMemory);
    Files.createDirectories(release.hbase().resolve("lib"));
    Files.createDirectories(release.hbase().resolve("conf"));
    // The README with the commands is in the archive.
    run(folder, "bash", "-ec", "tar xzf " + ARCHIVE);
    run(folder, "bash", "-ec", release.commands());
    return release;
  }

  /** Copies the release's archive into a folder. */
  static void copyArchive(Path folder) throws IOException {
    Files.copy(archive(), folder.resolve(ARCHIVE));
  }

  /** The release's archive, as this build made it. */
  static Path archive() throws IOException {
    return HBaseInstall.home().resolve("tiered/tools/target").resolve(ARCHIVE);
  }

  private String commands() throws IOException {
    String commands =
        COMMANDS
            .matcher(steps())
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.joining("\n"));
    return "export HBASE_HOME="
        + hbase()
        + "\n"
        + commands
            .replaceAll(
                "HBASE_OFFHEAPSIZE=\\d+g", "HBASE_OFFHEAPSIZE=" + (directMemory >> 20) + "m")
            .replace("-o hbase ", "-o \"$(id -un)\" ")
            .replace("/mnt/", disks() + "/");
  }

  /** The part of the README that tells how to install it. */
  private String steps() throws IOException {
    Matcher steps = STEPS.matcher(Files.readString(home().resolve("README.md")));
    if (!steps.find()) {
      throw new IOException("the README has no steps to install Terrace");
    }
    return steps.group(1);
  }

  /** The folder of the unpacked release. */
  Path home() {
    return folder.resolve(NAME);
  }

  /** Where the disks of the tiers are mounted. */
  Path disks() {
    return folder.resolve("mnt");
  }

  private Path hbase() {
    return folder.resolve("hbase");
  }

  /** The HBase with Terrace's jar in its {@code lib/}. */
  HBaseInstall hbaseInstall() throws IOException {
    HBaseInstall built = HBaseInstall.in(HBaseInstall.home());
    Path jar = hbase().resolve("lib").resolve(built.dropInJar().getFileName());
    return new HBaseInstall(built.jars(), built.webappsRoot(), jar);
  }

  /** The limit of direct memory that {@code hbase-env.sh} now sets. */
  long directMemory() throws IOException {
    String size =
        run(hbase(), "bash", "-ec", ". conf/hbase-env.sh; echo ${HBASE_OFFHEAPSIZE%m}").output();
    return Long.parseLong(size.trim()) << 20;
  }

  /** The properties that the README shows for hbase-site.xml, with the disks of the test. */
  Map<String, String> settings() throws IOException {
    Matcher properties = PROPERTIES.matcher(steps());
    if (!properties.find()) {
      throw new IOException("the README's steps have no properties");
    }
    String site = "<configuration>" + properties.group(1) + "</configuration>";
    return properties(new ByteArrayInputStream(site.getBytes(StandardCharsets.UTF_8)));
  }

  /** The properties of a sample of {@code hbase-site.xml}, with the disks of the test. */
  Map<String, String> sample(String name) throws IOException {
    try (InputStream xml = Files.newInputStream(home().resolve("docs/samples").resolve(name))) {
      return properties(xml);
    }
  }

  private Map<String, String> properties(InputStream xml) {
    Configuration conf = new Configuration(false);
    conf.addResource(xml);
    Map<String, String> properties = new HashMap<>();
    for (Map.Entry<String, String> property : conf) {
      properties.put(property.getKey(), property.getValue().replace("/mnt/", disks() + "/"));
    }
    return properties;
  }

  /** Runs {@code bin/terrace} of the release, from another folder. */
  Ended terrace(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(home().resolve("bin/terrace").toString()));
    command.addAll(List.of(arguments));
    return start(folder, command);
  }

  /** A command that has ended. */
  record Ended(int exitValue, String output) {}

  /** Runs a command that must not fail. */
  static Ended run(Path directory, String... command) throws IOException {
    Ended ended = start(directory, List.of(command));
    if (ended.exitValue != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + ended.output);
    }
    return ended;
  }

  private static Ended start(Path directory, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = IOUtils.toString(process.getInputStream(), StandardCharsets.UTF_8);
    try {
      return new Ended(process.waitFor(), output);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command + " ran", e);
    }
  }
}
