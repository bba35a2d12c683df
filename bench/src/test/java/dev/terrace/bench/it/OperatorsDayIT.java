// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The day of docs/day.md: its commands run in a shell, on the release, beside a real HBase, and
 * print what the document shows. HBase's own scripts are in no Maven repository, so that the test
 * does what they do. Tables are read while a trace is recorded, and until a command prints what is
 * shown.
 *
 * <p>What the commands printed is in {@code bench/target/it/OperatorsDayIT/day.txt}.
 */
@Tag("hadoop")
@Tag("long")
final class OperatorsDayIT {

  private static final CheckedTable ORDERS = CheckedTable.ordered("orders", 6_000, 1_000, 1, 1);
  private static final CheckedTable LOGS = CheckedTable.ordered("logs", 24_000, 1_000, 1, 1);

  /** Commands that may run again until they print what is shown. */
  private static final Pattern READS = Pattern.compile("curl .*|grep .*|bin/terrace why .*");

  private final Path folder = HBaseInstall.home().resolve("bench/target/it/OperatorsDayIT");
  private final Path home = folder.resolve("opt/hbase");
  private final Path site = home.resolve("conf/hbase-site.xml");
  private final Path printed = folder.resolve("day.txt");

  private Walkthrough.Shell shell;
  private HBaseServer server;
  private Connection connection;

  OperatorsDayIT() throws IOException {}

  /** An HBase as it is before Terrace, mounted disks, and the archive. */
  @BeforeEach
  void prepare() throws IOException {
    FileUtils.deleteDirectory(folder.toFile());
    HBaseInstall built = HBaseInstall.in(HBaseInstall.home());
    for (String name : List.of("opt/hbase/lib", "opt/hbase/conf", "opt/hbase/logs", "var/tmp")) {
      Files.createDirectories(folder.resolve(name));
    }
    for (String disk : List.of("pmem0", "nvme0", "nvme1")) {
      Files.createDirectories(folder.resolve("mnt").resolve(disk));
    }
    for (Path jar : built.jars()) {
      Files.createSymbolicLink(home.resolve("lib").resolve(jar.getFileName()), jar);
    }
    Files.createDirectory(home.resolve("bin"));
    Files.copy(
        HBaseInstall.home().resolve("tiered/tools/src/test/sh/hbase.sh"),
        home.resolve("bin/hbase"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(site, "<configuration></configuration>");
    Files.createSymbolicLink(
        home.resolve("logs/hbase-hbase-regionserver-rs1.log"), home.resolve("server.log"));
    InstalledRelease.copyArchive(folder);
    shell = new Walkthrough.Shell(folder);
  }

  @AfterEach
  void stop() throws IOException {
    Setups.stop(server, connection);
    shell.close();
  }

  @Test
  void eachCommandPrintsWhatIsShown() throws Exception {
    Path document = HBaseInstall.home().resolve("docs/day.md");
    for (Walkthrough.Step step : Walkthrough.of(document)) {
      if (step instanceof Walkthrough.Properties properties) {
        set(properties.xml());
      } else if (step instanceof Walkthrough.Command command) {
        follow(command);
      }
    }
    assertThat(server.isAlive()).isTrue();
  }

  private void follow(Walkthrough.Command command) throws IOException {
    String line = command.line();
    if (line.contains(" trace ")) {
      read();
    }
    if (line.contains("hbase-daemon.sh")) {
      restart();
    } else if (line.contains("hbase shell")) {
      assertThat(line).startsWith("echo \"update_config '$NAME'\" | ");
      updateConfig(shell.run("echo $NAME").trim());
    } else {
      String output = run(line);
      if (READS.matcher(line).matches() && !Walkthrough.isShown(command.shown(), output)) {
        output = runUntilShown(command);
      }
      note(line, output);
      assertThat(Walkthrough.isShown(command.shown(), output))
          .as("$ %s%nshows%n%sand printed%n%s", line, command.shown(), output)
          .isTrue();
    }
  }

  private String runUntilShown(Walkthrough.Command command) throws IOException {
    AtomicReference<String> output = new AtomicReference<>();
    server.await(
        command.line() + " printed " + command.shown(),
        Patience.LIMIT,
        () -> {
          read();
          output.set(run(command.line()));
          if (!Walkthrough.isShown(command.shown(), output.get())) {
            throw new IOException("it printed " + output);
          }
          return true;
        });
    return output.get();
  }

  /** Runs a command with the folders and the process of the test; their names stay out of it. */
  private String run(String line) throws IOException {
    String pid = server == null ? "" : Long.toString(server.pid());
    String here = here(line).replace("$(pgrep -f proc_regionserver)", pid);
    return shell.run(here.replace("-o hbase ", "-o $(id -un) ")).replace(folder.toString(), "");
  }

  private String here(String text) {
    return text.replaceAll("/(mnt|opt|var)/", folder + "/$1/");
  }

  private void note(String line, String output) throws IOException {
    Files.writeString(
        printed, "$ " + line + "\n" + output, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void read() throws IOException {
    for (CheckedTable table : List.of(ORDERS, LOGS, ORDERS)) {
      new LoadedTable(server, connection, table).read();
    }
  }

  private Configuration settings() {
    Configuration settings = new Configuration(false);
    settings.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    return settings;
  }

  /** Adds properties to hbase-site.xml. */
  private void set(String xml) throws IOException {
    Configuration added = new Configuration(false);
    String whole = "<configuration>" + here(xml) + "</configuration>";
    added.addResource(new ByteArrayInputStream(whole.getBytes(StandardCharsets.UTF_8)));
    Configuration settings = settings();
    added.forEach(property -> settings.set(property.getKey(), property.getValue()));
    try (OutputStream out = Files.newOutputStream(site)) {
      settings.writeXml(out);
    }
  }

  /** Stops the server if it runs, and starts it with the properties of the document. */
  private void restart() throws IOException {
    boolean isFirst = server == null;
    if (!isFirst) {
      connection.close();
      server.stop();
    }
    Map<String, String> properties = new HashMap<>();
    for (Map.Entry<String, String> property : settings()) {
      if (property.getKey().matches("hbase\\.terrace\\..*|hbase\\.regionserver\\.impl")) {
        properties.put(property.getKey(), property.getValue());
      }
    }
    HBaseInstall built = HBaseInstall.in(HBaseInstall.home());
    assertThat(home.resolve("lib").resolve(built.dropInJar().getFileName())).exists();
    String direct = shell.run("(. $HBASE_HOME/conf/hbase-env.sh; echo ${HBASE_OFFHEAPSIZE%m})");
    long directMemory = Long.parseLong(direct.trim()) << 20;
    server = HBaseServer.start(built, Setups.terrace("day", directMemory, properties), home);
    connection = server.connect();
    if (isFirst) {
      new LoadedTable(server, connection, ORDERS).write();
      new LoadedTable(server, connection, LOGS).write();
    }
    shell.run("export SERVER=localhost:" + server.regionServerPage().getPort());
  }

  private void updateConfig(String name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.updateConfiguration(ServerName.valueOf(name));
    }
  }
}
