// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import dev.terrace.api.Patience;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.Specs;
import dev.terrace.region.folder.UnusablePathException;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JNA's own library cannot be loaded, as when code may not run from the temporary directory. */
class WithoutJnaTest {

  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(64 << 10, 20);

  @TempDir Path temporary;

  private static MappedDevice open(Path path) throws IOException {
    return MappedDevice.open(Specs.of(path, DeviceKind.PMEM, GEOMETRY), Clock.systemUTC());
  }

  @Test
  void thePathIsRefused() throws IOException {
    assertIsRefused("-Djna.nounpack=true", "-Djna.nosys=true");
  }

  @Test
  void soItIsIfTheSystemHasALibraryOfAnotherVersion() throws IOException {
    Path foreign = Files.createDirectory(temporary.resolve("foreign"));
    foreignLibrary(foreign.resolve(System.mapLibraryName("jnidispatch")));
    assertIsRefused("-Djna.boot.library.path=" + foreign);
  }

  /** JNA's own library, which says that it is of another version. */
  private static void foreignLibrary(Path file) throws IOException {
    String name =
        "/com/sun/jna/" + Platform.RESOURCE_PREFIX + "/" + System.mapLibraryName("jnidispatch");
    byte[] library;
    try (InputStream own = Native.class.getResourceAsStream(name)) {
      library = own.readAllBytes();
    }
    String bytes = new String(library, StandardCharsets.ISO_8859_1);
    String other = bytes.replaceAll("\0\\d\\.\\d\\.\\d\0", "\0001.0.0\0");
    assertThat(other).isNotEqualTo(bytes).hasSameSizeAs(bytes);
    Files.write(file, other.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void assertIsRefused(String... flags) throws IOException {
    Path path = temporary.resolve("cache");
    List<String> command =
        new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
    command.add("-Xmx64m");
    command.addAll(List.of(flags));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            WithoutJnaTest.class.getName(),
            path.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    assertThat(process.exitValue()).as(said).isZero();
    assertThat(said)
        .contains("path=" + path, "JNA cannot load its library", "-Djna.tmpdir")
        .doesNotContain("\tat ");
    try (Device device = open(path)) {
      assertThat(device.generation()).isEqualTo(1);
    }
  }

  /** Runs in the other process. */
  public static void main(String[] args) throws IOException {
    try (MappedDevice device = open(Path.of(args[0]))) {
      System.out.println(device.description());
    } catch (UnusablePathException e) {
      System.out.println(e.getMessage());
    }
  }
}
