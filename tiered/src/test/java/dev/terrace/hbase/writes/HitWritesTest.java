// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.terrace.api.Patience;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which memory a hit writes: {@link HitWrites} has it counted in a JVM of its own, whose classes
 * are changed for it. The table is in this test's output.
 */
@Tag("long")
final class HitWritesTest {

  @TempDir Path folder;
  private Path memory;

  @BeforeEach
  void takeMemory() throws IOException {
    Path tmpfs = Path.of("/dev/shm");
    assumeThat(tmpfs).isDirectory();
    memory = Files.createTempDirectory(tmpfs, "terrace-writes");
  }

  @AfterEach
  void giveMemoryBack() {
    if (memory != null) {
      FileUtil.fullyDelete(memory.toFile());
    }
  }

  @Test
  void aHitWritesWhatTheDocumentHasAndNothingThatAllShare() throws Exception {
    Path output = folder.resolve("output");
    Path agent = agent();
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-javaagent:" + agent,
                "-Xmx512m",
                "-XX:MaxDirectMemorySize=512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // So that two threads have stripes of their own.
                "-XX:ActiveProcessorCount=16",
                "-Djna.nosys=true"));
    for (String opened : List.of("java.lang.invoke", "java.nio", "java.util.concurrent")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(HitWrites.class.getName());
    command.add(folder.toString());
    command.add(memory.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
      System.out.println(Files.readString(output));
    } finally {
      process.destroyForcibly();
    }
  }

  /** A jar that names the agent, and has what the bootstrap loader is to find. */
  private Path agent() throws IOException, URISyntaxException {
    Path agent = folder.resolve("agent.jar");
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Premain-Class", WriteAgent.class.getName());
    main.putValue("Boot-Class-Path", agent.toString());
    main.putValue("Can-Retransform-Classes", "true");
    String inJar = WriteLog.class.getPackageName().replace('.', '/');
    Path classes =
        Path.of(WriteLog.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve(inJar);
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(agent), manifest);
        DirectoryStream<Path> files = Files.newDirectoryStream(classes, "WriteLog*.class")) {
      for (Path file : files) {
        jar.putNextEntry(new JarEntry(inJar + "/" + file.getFileName()));
        Files.copy(file, jar);
      }
    }
    return agent;
  }
}
